// Plays Ekö by the engine protocol: any legal action. The rules are asked of `ekoes batch`. Run: node engine.js
const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');

const HELLO = { name: 'Any action (JavaScript)', version: '1', protocol: 1, games: ['eko'], levels: [], ready: true };
const rules = spawn('ekoes', ['batch'], { stdio: ['pipe', 'pipe', 'inherit'] });
const answers = createInterface({ input: rules.stdout })[Symbol.asyncIterator]();

async function ask(request) {
  rules.stdin.write(`${JSON.stringify(request)}\n`);
  const { result, error } = JSON.parse((await answers.next()).value);
  if (error) throw new Error(error);
  return result;
}

async function choose({ position, actions = [] }) {
  const now = await ask({ cmd: 'apply', position, actions });
  const legal = await ask({ cmd: 'legal', position: now });
  return { action: legal[Math.floor(Math.random() * legal.length)] }; // the line that matters is yours
}

const commands = {
  hello: () => HELLO,
  ready: async ({ game }) => (await ask({ cmd: 'ready', game })) && {},
  choose,
  stop: () => null,
};

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, cmd, ...request } = JSON.parse(line);
    if (cmd === 'quit') break;
    let answer = { error: 'this command is unknown' };
    try {
      if (Object.hasOwn(commands, cmd)) answer = { result: await commands[cmd](request) };
    } catch (error) {
      answer = { error: error.message };
    }
    console.log(JSON.stringify({ id, ...answer }));
  }
  rules.stdin.end();
}
main();
