import type { Connection, Submittable } from "pg";

const CHUNK_BYTES = 64 * 1024;

/** The part of a connection that sends the data of COPY; @types/pg does not declare it. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
}

/** COPY from this program, as something that a client of `pg` runs in its turn. */
export class CopyIn implements Submittable {
  readonly #sql: string;
  readonly #bytes: Buffer;
  readonly #done: () => void;
  readonly #failed: (error: Error) => void;

  constructor(
    sql: string,
    bytes: Buffer,
    settle: { readonly done: () => void; readonly failed: (error: Error) => void },
  ) {
    this.#sql = sql;
    this.#bytes = bytes;
    this.#done = settle.done;
    this.#failed = settle.failed;
  }

  submit(connection: Connection): void {
    (connection as unknown as CopyConnection).query(this.#sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    for (let at = 0; at < this.#bytes.length; at += CHUNK_BYTES) {
      connection.sendCopyFromChunk(this.#bytes.subarray(at, at + CHUNK_BYTES));
    }
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#done();
  }

  handleError(error: Error): void {
    this.#failed(error);
  }
}
