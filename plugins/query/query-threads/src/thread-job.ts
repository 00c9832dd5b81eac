import { Signal } from "@plinth/core/async";
import { RunTooLong } from "@plinth/core/evm";
import { JsonPieces } from "@plinth/core/rpc";
import type { OpenReader } from "@plinth/node/reader";
import { JobCanceled } from "./job-canceled.js";
import { type JobAnswer, MAX_AHEAD, type RunMessage } from "./messages.js";
import { packError } from "./thread-error.js";

/** How a job is stopped, and where its result goes. */
export interface JobPort {
  isCanceled(): boolean;
  /** The job has progressed by some steps. */
  note(): void;
  send(answer: JobAnswer, transfer?: readonly ArrayBuffer[]): void;
  /** Called before the last message, after which its slot belongs to another job. */
  ended(): void;
}

/** Longer texts are sent as bytes, which are transferred without a copy. */
const LONG_TEXT = 16_384;

/** A job on a thread, with its deadline. */
export class ThreadJob {
  readonly #message: RunMessage;
  readonly #port: JobPort;
  readonly #deadline: number;
  readonly #closed = new AbortController();
  /** Why the job was aborted; handlers may wrap that error. */
  #end: RunTooLong | JobCanceled | undefined;
  #ahead = 0;
  readonly #changed = new Signal();

  constructor(message: RunMessage, port: JobPort) {
    this.#message = message;
    this.#port = port;
    this.#deadline = performance.now() + message.maxMs;
  }

  /** Aborts when the job must stop. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Throws if the job must stop; cheap enough to be called frequently. */
  verify(): void {
    this.#port.note();
    if (this.#port.isCanceled()) this.#end ??= new JobCanceled();
    else if (performance.now() > this.#deadline) this.#end ??= new RunTooLong(this.#message.maxMs);
    if (this.#end !== undefined) throw this.#end;
  }

  /** The caller has read pieces of this size. */
  taken(size: number): void {
    this.#ahead -= size;
    this.#changed.notify();
  }

  /** The caller has left, or the deadline has passed. */
  cancel(): void {
    this.#closed.abort();
    this.#changed.notify();
  }

  /** Runs the job and sends its result; never rejects. */
  async run(reader: OpenReader): Promise<void> {
    const { job, next } = this.#message;
    const head = reader.follow(this.#message.head);
    const view = reader.takeView({ head, next, interrupt: () => this.verify() });
    try {
      if (job.kind === "query") {
        const value = await view.runQuery(job.query, job.params, this.closed);
        this.#finish({ kind: "value", value });
        return;
      }
      const json = await view.runMethod(job.method, job.params, this.closed);
      if (typeof json === "string") this.#sendText(json);
      else if (json instanceof Uint8Array) this.#sendBytes(json);
      else if (json instanceof JsonPieces) this.#sendBytes(json.join());
      else await this.#sendPieces(json);
    } catch (error) {
      this.#finish({ kind: "error", error: packError(this.#end ?? error) });
    } finally {
      reader.giveBack(view);
    }
  }

  #finish(answer: JobAnswer, transfer?: readonly ArrayBuffer[]): void {
    this.#port.ended();
    this.#port.send(answer, transfer);
  }

  #sendText(json: string): void {
    if (json.length > LONG_TEXT) this.#sendBytes(Buffer.from(json));
    else this.#finish({ kind: "json", json });
  }

  #sendBytes(bytes: Uint8Array): void {
    // A copy: a view would transfer the buffer behind it.
    const json = new Uint8Array(bytes);
    this.#finish({ kind: "json", json }, [json.buffer]);
  }

  async #sendPieces(pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
    const { send } = this.#port;
    send({ kind: "stream" });
    for await (const piece of pieces) {
      send({ kind: "piece", piece });
      this.#ahead += piece.length;
      while (this.#ahead >= MAX_AHEAD && !this.closed.aborted) await this.#changed.next();
      if (this.closed.aborted) throw new JobCanceled();
    }
    this.#finish({ kind: "end" });
  }
}
