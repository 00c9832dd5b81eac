import {
  JetStreamApiCodes,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { type Hash, t } from "@plinth/core";

/** A stream of a NATS server. */
export interface LogAddress {
  readonly url: string;
  readonly stream: string;
}

/** A record in the log. */
export interface LoggedRecord {
  readonly sequence: bigint;
  readonly hash: Hash;
}

/** A JetStream stream that one writer at a time appends records to. */
export class JetStreamLog implements AsyncDisposable {
  readonly #stream: string;
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;
  /** The number of the last message; the server rejects one that follows another. */
  #end = 0;

  private constructor(stream: string, connection: NatsConnection, manager: JetStreamManager) {
    this.#stream = stream;
    this.#connection = connection;
    this.#manager = manager;
    this.#client = jetstream(connection);
  }

  /** Connects, and creates the stream if there is none. */
  static async open({ url, stream }: LogAddress): Promise<JetStreamLog> {
    const connection = await connect({ servers: url, reconnect: false });
    try {
      const manager = await jetstreamManager(connection);
      await manager.streams.info(stream).catch((error: unknown) => {
        const isMissing = Object(error).code === JetStreamApiCodes.StreamNotFound;
        if (!isMissing) throw error;
        return manager.streams.add({ name: stream, subjects: [stream] });
      });
      return new JetStreamLog(stream, connection, manager);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** The record of the last message; `undefined` if there has never been one. */
  async findLast(): Promise<LoggedRecord | undefined> {
    const { state } = await this.#manager.streams.info(this.#stream);
    this.#end = state.last_seq;
    if (this.#end === 0) return undefined;
    const message = await this.#manager.streams.getMessage(this.#stream, { seq: this.#end });
    if (message === null) throw new Error("its last message was removed, and with it the cursor");
    const { sequence, hash } = message.json<Record<string, string>>();
    return { sequence: BigInt(sequence ?? ""), hash: t.hash.decode(hash, "hash") };
  }

  /** Appends the message of a record; rejects if another writer has appended one. */
  async append({ sequence, hash }: LoggedRecord, text: string): Promise<void> {
    const { seq } = await this.#client.publish(this.#stream, text, {
      msgID: `${sequence}-${hash}`,
      expect: { lastSequence: this.#end },
    });
    this.#end = seq;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close();
  }
}
