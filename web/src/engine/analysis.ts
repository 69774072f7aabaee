/** Analyses of positions by several workers, which explore differently and whose findings are added up; decisions of bots. */
import type { Action } from './eko/action';
import type { Info, Level, Networks, Variation } from './eko/search';
import type { Answer, Asked, Modules, Request } from './searcher';

/** A worker, or what stands for one. */
export interface Port {
  postMessage(request: Request): void;
  onmessage: ((event: MessageEvent<Answer>) => void) | null;
  terminate(): void;
}

export interface Evaluation extends Info {
  readonly seconds: number;
  /** The search has ended. */
  readonly final: boolean;
}

/** The factor by which each further worker explores more, or in turn less, than the first. */
const STEP = 1.3;
/** Variations that each worker sends, so that what several have found can be added. */
const LINES_OF_WORKER = 12;

/** The engine of a page. Workers begin with the first request. */
export class Analysis {
  private readonly ports: Port[] = [];
  private key = 0;
  private take: (port: number, answer: Answer) => void = () => undefined;

  constructor(
    private readonly modules: Modules,
    private readonly networks: Networks,
    private readonly start: () => Port,
  ) {}

  /** Evaluate a position, in place of what was asked before, until the seconds are over, something is proven, or the signal. */
  search(
    asked: Asked,
    { workers = 1, seconds, lines }: { workers?: number; seconds: number; lines: number },
    take: (evaluation: Evaluation) => void,
    signal?: AbortSignal,
  ): void {
    const found: ({ info: Info; final: boolean } | undefined)[] = Array.from({ length: workers });
    const begun = performance.now();
    const key = this.begin(
      workers,
      (port, answer) => {
        if (answer.type !== 'info') return;
        found[port] = answer;
        const known = found.filter((one) => one !== undefined);
        const isProven = known.some(({ info, final }) => final && info.lines[0]?.proven);
        const final = isProven || (known.length === workers && known.every((one) => one.final));
        take({
          ...merged(
            known.map(({ info }) => info),
            lines,
          ),
          seconds: (performance.now() - begun) / 1000,
          final,
        });
        if (isProven) this.stop();
      },
      signal,
    );
    for (const port of this.ports.slice(0, workers))
      port.postMessage({ type: 'search', key, seconds, lines: Math.max(lines, LINES_OF_WORKER), ...asked });
  }

  /** The decision of a bot. `word`: a random number of 64 bits. Rejected by the signal. */
  choose(asked: Asked, level: Level | 'greedy', word: bigint, signal?: AbortSignal): Promise<Action> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      const key = this.begin(1, (_, answer) => answer.type === 'chosen' && resolve(answer.action), signal);
      this.ports[0]!.postMessage({ type: 'choose', key, level, word, ...asked });
    });
  }

  stop(): void {
    this.key++;
    for (const port of this.ports) port.postMessage({ type: 'stop' });
  }

  close(): void {
    this.key++;
    for (const port of this.ports.splice(0)) port.terminate();
  }

  private begin(workers: number, take: typeof this.take, signal?: AbortSignal): number {
    this.stop();
    const key = ++this.key;
    this.take = take;
    signal?.addEventListener('abort', () => key === this.key && this.stop());
    while (this.ports.length < workers) this.add(this.ports.length);
    return key;
  }

  private add(place: number): void {
    const port = this.start();
    port.onmessage = ({ data }) => data.key === this.key && this.take(place, data);
    const exploration = STEP ** (place % 2 ? Math.ceil(place / 2) : -place / 2);
    port.postMessage({ type: 'load', modules: this.modules, networks: this.networks, exploration });
    this.ports.push(port);
  }
}

/** What several searches of a position have found, together: averages by iterations. */
export function merged(found: readonly Info[], count: number): Info {
  const weighted = (values: readonly (readonly [weight: number, value: readonly number[]])[]): number[] => {
    const whole = values.reduce((sum, [weight]) => sum + weight, 0);
    return (values[0]?.[1] ?? []).map(
      (_, seat) => values.reduce((sum, [weight, value]) => sum + weight * value[seat]!, 0) / whole,
    );
  };
  const proof = found.find(({ lines: [best] }) => best?.proven);
  const same = new Map<string, Variation[]>();
  for (const line of found.flatMap(({ lines }) => lines)) {
    const first = JSON.stringify(line.actions[0]);
    same.set(first, [...(same.get(first) ?? []), line]);
  }
  const lines = [...same.values()].map((of): Variation => {
    const longest = of.reduce((most, one) => (one.iterations > most.iterations ? one : most));
    const iterations = of.reduce((sum, one) => sum + one.iterations, 0);
    return (
      of.find((one) => one.proven) ?? {
        ...longest,
        iterations,
        value: weighted(of.map((one) => [Math.max(1, one.iterations), one.value])),
      }
    );
  });
  const isBest = (line: Variation): boolean => line === proof?.lines[0];
  lines.sort(
    (one, other) =>
      Number(isBest(other)) - Number(isBest(one)) ||
      Number(one.proven ?? 0) - Number(other.proven ?? 0) ||
      other.iterations - one.iterations,
  );
  return {
    value: proof?.value ?? weighted(found.map(({ iterations, value }) => [Math.max(1, iterations), value])),
    iterations: found.reduce((sum, { iterations }) => sum + iterations, 0),
    depth: Math.max(...found.map(({ depth }) => depth)),
    lines: lines.slice(0, count),
  };
}
