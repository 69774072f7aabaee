/** What a page hears over a line of its own: how the line is, and how it is opened, closed and had back. Headless. */
import { Connection, type Heard, type Line, type Surroundings } from './connection';

export abstract class Online<Message extends Heard, Wish extends object> {
  line = $state<Line>('connecting');
  protected readonly connection: Connection<Message, Wish>;

  constructor(around: Surroundings) {
    this.connection = new Connection(
      around,
      (message) => this.receive(message),
      (line) => {
        this.line = line;
        if (line !== 'open') this.lost();
      },
    );
  }

  open(): void {
    this.connection.open();
  }
  close(): void {
    this.connection.close();
  }
  hurry(): void {
    this.connection.hurry();
  }
  drop(): void {
    this.connection.drop();
  }

  abstract receive(message: Message): void;
  /** Forgets what a new line is told anew. */
  protected lost(): void {}
}

/** Takes a line for lost when the network is away, and tries it at once when it is back. Returns what ends that. */
export function withNetwork(one: () => { hurry(): void; drop(): void }): () => void {
  const [back, away] = [(): void => one().hurry(), (): void => one().drop()];
  addEventListener('online', back);
  addEventListener('offline', away);
  return () => {
    removeEventListener('online', back);
    removeEventListener('offline', away);
  };
}
