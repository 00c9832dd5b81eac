import { InvariantError, type KeyValueStore, type Runtime } from "@plinth/core";
import type { EnclaveLink } from "@plinth/kit-enclave";
import type { Manager, ManagerFigures } from "../manager.js";
import type { Enclave } from "../service.js";
import type { OpenEnclave, openEnclave } from "./open-enclave.js";
import { readSettings } from "./read-settings.js";

type OpenSettings = Parameters<typeof openEnclave>[1];

/** The manager of a running node: nothing listens while a command works on the database. */
export class RunningEnclave implements Enclave {
  #store: KeyValueStore | undefined;
  #opened: OpenEnclave | undefined;

  async open(
    configFile: string,
    { clock, log, openStore }: Pick<Runtime, "clock" | "log" | "openStore">,
    answered: OpenSettings["answered"],
  ): Promise<void> {
    const settings = await readSettings(configFile);
    // Loading the encryption takes long; nodes without a manager do not need it.
    const { openEnclave } = await import("./open-enclave.js");
    this.#store = await openStore("enclave");
    this.#opened = await openEnclave(settings, { store: this.#store, clock, log, answered });
  }

  /** Closes everything that was opened, even after a partial failure. */
  async close(): Promise<void> {
    await this.#opened?.close();
    await this.#store?.close();
    this.#opened = undefined;
    this.#store = undefined;
  }

  get payloads(): Manager["payloads"] {
    return this.#manager.payloads;
  }

  get groups(): Manager["groups"] {
    return this.#manager.groups;
  }

  get link(): EnclaveLink {
    return this.#opened?.link ?? this.#notRunning();
  }

  publicKeys(): ReturnType<Manager["publicKeys"]> {
    return this.#manager.publicKeys();
  }

  status(): ReturnType<Manager["status"]> {
    return this.#manager.status();
  }

  /** `undefined` before the node runs. */
  figures(): ManagerFigures | undefined {
    return this.#opened?.manager.figures();
  }

  get #manager(): Manager {
    return this.#opened?.manager ?? this.#notRunning();
  }

  #notRunning(): never {
    throw new InvariantError(
      "the private transaction manager is not available before the node runs",
    );
  }
}
