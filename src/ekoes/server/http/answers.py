"""Pydantic models of what routes return: the source of the OpenAPI schemas. Nothing is validated by them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from ekoes.games.api.contract import Json
from ekoes.protocol import ChatLine, RatingInfo, TableMessage
from ekoes.records.tree import Sign
from ekoes.server.challenges import NDJSON
from ekoes.server.http.openapi import Failure
from ekoes.tables.chat import Phrase, Reason
from ekoes.tables.settings import ClockPlan
from ekoes.tables.table import Status
from ekoes.tournaments.state import Form
from ekoes.tournaments.state import Status as TournamentStatus

Moment = Annotated[str, Field(description="in ISO 8601")]


def answers(model: Any, status: int = 200) -> dict[str, Any]:  # noqa: ANN401 - models and unions of them
    """Return the arguments of a route whose response is described, and sent as it is."""
    return {"response_model": None, "responses": {status: {"model": model}}}


def answers_file(media_type: str) -> dict[str, Any]:
    """Return the arguments of a route that sends a file."""
    schema = {"type": "string", "format": "binary"}
    content = {"content": {media_type: {"schema": schema}}}
    return {"response_model": None, "response_class": Response, "responses": {200: content}}


class Lines(StreamingResponse):
    """Streams JSON, one object per line."""

    media_type = NDJSON


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True)


# ---------------------------------------------------------------- the server


class Alive(_Shape):
    """The event loop runs."""

    alive: Literal[True]


class ReadyInfo(_Shape):
    """Tables can be played and stored. redis: whether it answers, if it is used."""

    ready: Literal[True]
    redis: bool | None = None


class PaceInfo(_Shape):
    """The limits of the bots' pace, in milliseconds."""

    default: int
    least: int
    most: int


class LimitsInfo(_Shape):
    """Limits. name: characters; message: bytes."""

    name: int
    seats: int
    colours: int
    pace: PaceInfo
    message: int


class TalkInfo(_Shape):
    """The chat: the longest line, quick phrases, and reasons for a report."""

    line: int
    phrases: list[Phrase]
    reasons: list[Reason]


class LanguageInfo(_Shape):
    """A language of the page. dir: of its script."""

    tag: str
    name: str
    dir: str


class OptionInfo(_Shape):
    """What an option may be. several: a list of the values. null: it may be null. fields: of an object."""

    default: Any = None
    least: int | None = None
    most: int | None = None
    values: list[str] | None = None
    several: Literal[True] | None = None
    null: Literal[True] | None = None
    fields: dict[str, OptionInfo] | None = None


class GameInfo(BaseModel):
    """A game, with keys of its own. players: fewest and most. bots, levels: the weakest first.

    stand_in: the bot of a seat that names none. reviews: finished games can be reviewed. puzzles: the themes
    of its puzzles.
    """

    model_config = ConfigDict(extra="allow", defer_build=True)

    name: str
    players: tuple[int, int]
    options: dict[str, OptionInfo]
    bots: list[str]
    levels: list[str]
    stand_in: str
    reviews: Literal[True] | None = None
    puzzles: list[str] | None = None


class ServerInfo(_Shape):
    """The server. preparing: levels of bots that are still being compiled."""

    version: str
    limits: LimitsInfo
    talk: TalkInfo
    languages: list[LanguageInfo]
    levels: dict[str, str]
    games: list[GameInfo]
    address: str | None
    preparing: list[str]


# ---------------------------------------------------------------- tables and lessons


class PreviewInfo(_Shape):
    """A start position."""

    seed: int
    board: Json
    position: Json


class Created(_Shape):
    """A new table or tournament. url: of its page."""

    id: str
    url: str


class StatusInfo(_Shape):
    """The status of a table for the reader."""

    status: Status


class PastInfo(_Shape):
    """The state after ``n`` entries of the log."""

    n: int
    state: Json


class ReasonInfo(BaseModel):
    """A reason of an advice, with its number where it has one, and keys of the game's own."""

    model_config = ConfigDict(extra="allow", defer_build=True)

    reason: str
    n: int | None = None


class AdviceInfo(BaseModel):
    """A good decision, with keys of the game's own. action: null if waiting is best."""

    model_config = ConfigDict(extra="allow", defer_build=True)

    seat: int
    action: Json | None
    reasons: list[ReasonInfo]


class ThreatsInfo(_Shape):
    """What a piece could reach, capture and build on."""

    place: str
    seat: int
    moves: list[str]
    takes: list[str]
    sites: list[str]


class TriedInfo(_Shape):
    """A table after trial decisions. refusal: of the last one. ways: of the piece asked for."""

    refusal: Failure | None
    ways: Any = None
    table: TableMessage


class EntryInfo(BaseModel):
    """A decision as in a log, with keys of the game's own."""

    model_config = ConfigDict(extra="allow", defer_build=True)

    turn: int
    seat: int
    notation: str
    action: Json


class TreeNodeInfo(_Shape):
    """A decision of a tree. parent: the number of the node before it; none: the one before in the list."""

    parent: int | None = None
    entry: EntryInfo | None = None
    sign: Sign | None = None
    comment: str | None = None


class LineInfo(TriedInfo):
    """A table after a line of play, and the record of the line. tree: the variations of its start."""

    record: str
    tree: list[TreeNodeInfo] | None = None


class RecordInfo(_Shape):
    """A record as text."""

    record: str


class EditorFault(_Shape):
    """A broken check. tiles: those concerned, by number. values: the parts of the message by name."""

    code: str
    message: str
    rule: str | None
    key: str | None
    tiles: list[int]
    spaces: list[str]
    values: dict[str, str | int]


class EditorInfo(_Shape):
    """A draft of a board and a position. record: of a game that starts with the position."""

    box: Json
    faults: list[EditorFault]
    board: Json | None
    position: Json | None
    players: list[Json] | None
    record: str | None


class EvaluatedLine(_Shape):
    """A best variation. value: the chances of each player after it. entries: of a log.

    points: of games that value decisions in points. error: twice the standard error of that.
    """

    value: list[float]
    points: float | None = None
    error: float | None = None
    iterations: int
    proven: Literal[True] | None = None
    entries: list[EntryInfo]


class EvaluationInfo(_Shape):
    """What a search has found so far. value: the chances of each player. final: the search has ended.

    ahead: while it waits, how many wait before it. round: the chances in this round, of games in rounds.
    """

    value: list[float]
    round: list[float] | None = None
    iterations: int
    depth: int
    seconds: float
    lines: list[EvaluatedLine]
    ahead: int | None = None
    final: bool


class OpeningMove(_Shape):
    """What can be played. games: in which it was; wins: the share of them that each player has won.

    score: of the mover, games without a winner counted for all alike. decisions: how many legal decisions are
    this move; entries: the first of them, as of a log.
    """

    games: int
    wins: list[float]
    score: float
    decisions: int
    entries: list[EntryInfo]


class OpeningSource(_Shape):
    """What was played at a moment. board: on this board; else on all boards of its kind.

    games: that came to this moment. moves: the most played first. level: of the bots that have played.
    """

    level: str | None = None
    board: bool
    games: int
    moves: list[OpeningMove]


class OpeningInfo(_Shape):
    """What was played in public games of this server and in games of bots; null: nothing."""

    is_opening: bool
    games: OpeningSource | None
    bots: OpeningSource | None


class ReviewedDecision(_Shape):
    """A decision with an alternative. n: from 1. loss: of the own chance. better: entries of a log.

    count: what the kind of the mistake counts.
    """

    n: int
    turn: int
    seat: int
    loss: float
    better: list[EntryInfo] | None = None
    judgement: Literal["inaccuracy", "mistake", "blunder"] | None = None
    kind: str | None = None
    count: int | None = None


class ReviewFact(_Shape):
    """What happened in a game, seen at decision ``n``; the optional keys depend on the code."""

    code: str
    n: int
    turn: int
    seat: int
    loss: float | None = None
    chance: float | None = None
    kind: str | None = None
    source: str | None = None
    count: int | None = None


class Review(_Shape):
    """A review. version: of its form. chances: of each player, at the start and after each decision.

    accuracy: of each player in percent; null without decisions.
    """

    version: int
    players: int
    chances: list[list[float]]
    decisions: list[ReviewedDecision]
    accuracy: list[float | None]
    facts: list[ReviewFact]


class RoundsReview(_Shape):
    """A review of a game of rounds in real time, with keys of its game. ``chances`` is empty.

    reactions: times in milliseconds; luck: of each deal; totals: of each player.
    """

    version: int
    players: int
    chances: list[list[float]]
    decisions: list[Json]
    reactions: list[Json]
    luck: list[Json]
    totals: list[Json]
    facts: list[Json]


class ReviewInfo(_Shape):
    """How far a review is. place: in the queue, from 1. examined: decisions so far, of ``questions``.

    chances: those of the review, null where they are not known yet; empty while none is, and for rounds.
    """

    state: Literal["none", "waiting", "running", "done"]
    place: int | None
    examined: int
    questions: int
    chances: list[list[float] | None]
    review: Review | RoundsReview | None


class LessonInfo(_Shape):
    """A lesson in the list. study, title: of its study and its own, by language."""

    name: str
    study: dict[str, str]
    title: dict[str, str]


class LessonText(LessonInfo):
    """A lesson. words: by language and key."""

    marks: list[str | int]
    seat: int
    words: dict[str, dict[str, str]]


class TaskPlayed(TriedInfo):
    """A task after decisions. taken: their number. says: the reply to the last one, by language."""

    result: Literal["open", "reached", "missed"]
    taken: int
    says: dict[str, str] | None


class ListedStudy(_Shape):
    """A study in the list of its owner. chapters: their number."""

    id: str
    game: str
    title: str
    chapters: int
    changed: str


class StudyList(_Shape):
    """The studies of a user."""

    studies: list[ListedStudy]


class ChapterInfo(_Shape):
    """A chapter of a study, as it was written; absent keys have their default."""

    name: str
    position: dict[str, Any] | None = None
    record: str | None = None
    marks: list[str | int] | None = None
    task: dict[str, Any] | None = None
    words: dict[str, dict[str, str]]


class StudyInfo(_Shape):
    """A study. by: the name of its owner's account. words: of its title."""

    id: str
    game: str
    by: str | None
    yours: bool
    changed: str
    words: dict[str, dict[str, str]]
    chapters: list[ChapterInfo]


class StudyCreated(Created):
    """A new study. chapter: the name of its first chapter."""

    chapter: str


class ChapterCreated(_Shape):
    """A new chapter of a study."""

    name: str
    url: str


class PuzzleInfo(_Shape):
    """A puzzle. theme: a word of the game. seat: of the solver."""

    id: str
    theme: str
    rating: RatingInfo
    seat: int
    position: dict[str, Any]


class ValuedChoice(_Shape):
    """A choice. points: its value. error: twice the standard error of that."""

    notation: str
    points: float
    error: float


class ExerciseChoice(_Shape):
    """A decision to choose. count: how many there are. state: of a table, as the seat sees it."""

    number: int
    count: int
    seat: int
    state: Json
    values: list[ValuedChoice]


class ReflexRound(_Shape):
    """What is shown, one after the other. answer: what of the hand is right on the last."""

    hand: list[int]
    shown: list[int]
    answer: int


class ExerciseReflex(_Shape):
    """The rounds of a test of reactions."""

    seed: int
    rounds: list[ReflexRound]


class SolutionStep(_Shape):
    """A decision of a solution."""

    notation: str
    action: dict[str, Any]


class PuzzleRated(_Shape):
    """The puzzle rating of an account before and after its first answer to a puzzle."""

    before: RatingInfo
    after: RatingInfo


class PuzzleTried(TriedInfo):
    """A puzzle after decisions. solution: once it may be seen."""

    verdict: Literal["open", "right", "wrong"]
    solution: list[SolutionStep] | None
    rated: PuzzleRated | None


class PuzzleProgress(RatingInfo):
    """The puzzles of an account. streak: days in a row with the daily puzzle; daily: today's is solved."""

    answers: int
    solved: int
    streak: int
    daily: bool


class ShareInfo(_Shape):
    """A share of the wins, 0 to 1, with its 95 % interval."""

    share: float
    low: float
    high: float


class TurnsInfo(_Shape):
    """The lengths of games in turns."""

    median: float
    least: int
    most: int


class DistanceInfo(_Shape):
    """A measure of how the seats start. site: a capital that it is about. gap: of greatest and least."""

    measure: str
    site: str | None = None
    seats: list[float]
    gap: float


class FairnessReport(_Shape):
    """How fair a board is. order: by place in the order of turns; seats: of one deal, by seat.

    because: what the verdict is due to. distances: of a bare board from the least to the greatest of a deal.
    symmetries: how many of twelve fit. classes: seats that these exchange. heat: by space.
    """

    players: int
    games: int
    seed: int
    level: str
    version: int
    verdict: Literal["fair", "unfair", "unclear"]
    because: Literal["wins", "distances"]
    order: list[ShareInfo]
    seats: list[ShareInfo] | None = None
    drawn: int
    turns: TurnsInfo
    distances: list[DistanceInfo]
    symmetries: dict[str, int]
    classes: list[list[int]]
    heat: dict[str, dict[str, float]] | None = None


class FairnessInfo(_Shape):
    """How far a report is: games played. report: with the last line; null if it failed."""

    played: int
    games: int
    report: FairnessReport | None


class LayoutInfo(_Shape):
    """A named layout. title, text: by language. tiles: as the option ``layout`` of a new table."""

    name: str
    title: dict[str, str]
    text: dict[str, str]
    players: int
    variants: list[str]
    tiles: list[Any]
    report: FairnessReport


class SeatPassInfo(_Shape):
    """A pass for a seat, and how long it lasts."""

    pass_: Annotated[str, Field(alias="pass")]
    seconds: int


class PassUsed(Created):
    """The seat that was taken over."""

    seat: int


# ---------------------------------------------------------------- accounts


class AccountInfo(_Shape):
    """An account; for a guest ``name`` alone, which is null."""

    name: str | None
    since: Moment | None = None
    program: Literal[True] | None = None


class Codes(_Shape):
    """Recovery codes."""

    codes: list[str]


class NewAccount(Codes):
    """A new account with its recovery codes."""

    name: str


class OwnSeat(_Shape):
    """A seat of a table in the list of an account."""

    name: str
    colour: int


class OwnTableInfo(_Shape):
    """A table of an account. at: when it was made."""

    id: str
    game: str
    at: Moment
    seats: list[OwnSeat]


class OwnTables(_Shape):
    """The newest tables of an account."""

    tables: list[OwnTableInfo]


class DeviceInfo(_Shape):
    """A device that is signed in. this: the one that asks."""

    id: str
    about: str
    since: Moment
    seen_at: Moment
    this: bool


class Devices(_Shape):
    """The devices of an account."""

    devices: list[DeviceInfo]


class VacationInfo(_Shape):
    """Vacation days each year, those left, and the end of the current one."""

    days: int
    left: int
    until: Moment | None


class PushKey(_Shape):
    """The server's key for Web Push."""

    key: str


# ---------------------------------------------------------------- results and ratings


class Pool(_Shape):
    """Games that are rated together."""

    game: str
    players: int
    tempo: str


class StandingInfo(Pool, RatingInfo):
    """A rating in a pool, with the games counted and won."""

    games: int
    won: int


class Leader(StandingInfo):
    """A player of a leaderboard."""

    name: str


class Leaders(_Shape):
    """The best players of a pool."""

    leaders: list[Leader]


class PoolInfo(Pool):
    """A pool and its number of players."""

    people: int


class Pools(_Shape):
    """All pools."""

    pools: list[PoolInfo]


class Score(_Shape):
    """Games won, lost and drawn."""

    won: int
    lost: int
    even: int


class SolverInfo(RatingInfo):
    """The puzzle rating of an account in a game. answers: those that were rated; right: those of them."""

    game: str
    answers: int
    right: int


class Profile(AccountInfo):
    """An account as others see it. you: it is the reader's. between: the reader's score against it."""

    name: str
    since: Moment
    you: bool
    ratings: list[StandingInfo]
    puzzles: list[SolverInfo]
    between: Score | None


class RatedAt(RatingInfo):
    """A rating after a game."""

    at: Moment


class Curve(_Shape):
    """The ratings of an account in a pool. start: of a new account."""

    start: RatingInfo
    points: list[RatedAt]


class SeatResult(_Shape):
    """A seat of a finished game. rank: how many finished ahead. theirs: of the account asked for."""

    seat: int
    name: str
    account: str | None
    bot: str | None
    rank: int
    won: bool
    theirs: bool
    before: RatingInfo | None = None
    after: RatingInfo | None = None


class GameResult(Pool):
    """A finished game."""

    table: str
    rated: bool
    reason: str
    length: int
    at: Moment
    seats: list[SeatResult]


class Games(_Shape):
    """Games of an account. more: there are earlier ones."""

    games: list[GameResult]
    more: bool


class Found(_Shape):
    """Games of the archive. after: the cursor to the next ones."""

    games: list[GameResult]
    after: str | None = None


class ArchivedGame(GameResult):
    """A finished game. pictured: it has pictures. colours: by seat. options: those other than the default."""

    public: bool
    pictured: bool
    colours: list[int]
    options: Json
    clock: ClockPlan | None = None


# ---------------------------------------------------------------- relations, moderation


class Person(_Shape):
    """A user who is blocked or followed."""

    id: int
    name: str


class Tie(Person):
    """A user in the list. here: whether a followed one is online."""

    since: Moment
    here: bool | None = None


class Ties(_Shape):
    """The users that an account blocks or follows."""

    people: list[Tie]


class ReportMade(_Shape):
    """The number of a report."""

    id: int


class ModeratorInfo(_Shape):
    """Whether the account is a moderator."""

    moderator: bool


class ReportInfo(_Shape):
    """A report for moderators. table: null for one from a profile."""

    id: int
    table: str | None
    name: str
    line: int | None
    reason: str
    words: str
    lines: list[ChatLine]
    at: Moment
    resolved_at: Moment | None
    verdict: str | None


class Reports(_Shape):
    """The latest reports."""

    reports: list[ReportInfo]


# ---------------------------------------------------------------- tournaments


class TournamentAbout(_Shape):
    """The plan and status of a tournament. drawn: the rounds so far. late: entrants may still join."""

    name: str
    game: str
    form: Form
    players: int
    options: Json
    status: TournamentStatus
    late: bool
    grace: int
    rounds: int | None = None
    rated: Literal[True] | None = None
    clock: ClockPlan | None = None
    drawn: int


class TournamentListed(TournamentAbout):
    """A tournament in the list. since: when it was made, in milliseconds."""

    id: str
    entrants: int
    since: int


class TournamentList(_Shape):
    """The latest tournaments."""

    tournaments: list[TournamentListed]


class TournamentFacts(TournamentAbout):
    """What a tournament's page shows of it. breaks: the tie-breaks in order."""

    rounds: int
    host: str
    breaks: list[str]
    drawn_at: int | None = None


class EntrantInfo(_Shape):
    """An entrant."""

    name: str
    left: Literal[True] | None = None


class TournamentGame(_Shape):
    """A game of a round. seats: entrants. points: once it is over. absent: who did not come."""

    seats: list[int]
    table: str | None = None
    points: list[float] | None = None
    absent: list[int] | None = None


class TournamentStanding(_Shape):
    """The standing of an entrant. breaks: the values of the tie-breaks."""

    rank: int
    points: float
    breaks: list[float]


class TournamentOwn(_Shape):
    """What the reader is in a tournament, and the table of their next game."""

    entrant: int | None = None
    host: Literal[True] | None = None
    table: str | None = None


class TournamentInfo(_Shape):
    """A tournament. entrants, standings: by number; rounds: by number, from 1."""

    id: str
    own: TournamentOwn
    about: TournamentFacts
    entrants: dict[str, EntrantInfo]
    rounds: dict[str, list[TournamentGame]]
    standings: dict[str, TournamentStanding]


class TournamentName(_Shape):
    """A tournament's id and name."""

    id: str
    name: str


class TournamentOfTable(_Shape):
    """The tournament of a table, or null."""

    tournament: TournamentName | None
