/* Plays Ekö by the engine protocol: any legal action. The rules are asked of `ekoes batch`.
   cc -o engine docs/examples/engine.c. A library for JSON does what `past` and `member` do here. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *rules_in, *rules_out;
static const char *HELLO =
    "{\"name\":\"Any action (C)\",\"version\":\"1\",\"protocol\":1,\"games\":[\"eko\"],\"levels\":[],\"ready\":true}";

/* The first character after a value, and after spaces, commas and colons behind it. */
static const char *past(const char *at) {
    int depth = 0;
    do {
        if (*at == '"')
            while (*++at != '"') at += *at == '\\';
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    } while (*at && (depth > 0 || (at[-1] != '"' && !strchr("]}", at[-1]) && !strchr(",]} \n", *at))));
    return at + strspn(at, " ,:\n");
}

/* Whether a value is this text. */
static int is(const char *value, const char *text) {
    return !strncmp(value + 1, text, strlen(text)) && value[1 + strlen(text)] == '"';
}

/* A member of an object as text, or another text where there is none. */
static const char *member(const char *object, const char *key, const char *otherwise) {
    for (const char *at = object + 1 + strspn(object + 1, " "); *at == '"'; at = past(past(at)))
        if (is(at, key)) return past(at);
    return otherwise;
}

/* The length of a value without what stands behind it. */
static int length(const char *value) {
    const char *end = past(value);
    while (strchr(" ,:\n", end[-1])) end--;
    return (int)(end - value);
}

/* The result of the latest question to the rules; it stands until the next one. */
static const char *result(void) {
    static char *line;
    static size_t size;
    fflush(rules_in);
    if (getline(&line, &size, rules_out) < 0) exit(1);
    return member(line, "result", "null");
}

static void choose(const char *request) {
    const char *position = member(request, "position", "null"), *actions = member(request, "actions", "[]"), *at, *chosen;
    fprintf(rules_in, "{\"cmd\":\"apply\",\"position\":%.*s,\"actions\":%.*s}\n", length(position), position, length(actions), actions);
    char *now = strdup(result());
    fprintf(rules_in, "{\"cmd\":\"legal\",\"position\":%.*s}\n", length(now), now);
    free(now);
    int count = 0;
    for (chosen = at = result() + 1; *at == '{'; at = past(at))
        if (rand() % ++count == 0) chosen = at; /* the line that matters is yours */
    printf("\"result\":{\"action\":%.*s}", length(chosen), chosen);
}

int main(void) {
    int down[2], up[2];
    char *line = NULL;
    size_t size = 0;
    if (pipe(down) || pipe(up)) return 1;
    if (!fork()) {
        dup2(down[0], 0), dup2(up[1], 1), close(down[1]), close(up[0]);
        return execlp("ekoes", "ekoes", "batch", NULL);
    }
    close(down[0]), close(up[1]);
    rules_in = fdopen(down[1], "w"), rules_out = fdopen(up[0], "r");
    while (getline(&line, &size, stdin) > 0) {
        const char *cmd = member(line, "cmd", "\"\""), *id = member(line, "id", "null");
        if (is(cmd, "quit")) break;
        printf("{\"id\":%.*s,", length(id), id);
        if (is(cmd, "hello")) printf("\"result\":%s", HELLO);
        else if (is(cmd, "ready")) fprintf(rules_in, "{\"cmd\":\"ready\",\"game\":\"eko\"}\n"), result(), printf("\"result\":{}");
        else if (is(cmd, "choose")) choose(line);
        else if (is(cmd, "stop")) printf("\"result\":null");
        else printf("\"error\":\"this command is unknown\"");
        puts("}"), fflush(stdout);
    }
    return 0;
}
