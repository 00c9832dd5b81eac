/** The response of a manager: only 200 is success. */
export interface LinkAnswer {
  readonly status: number;
  readonly body: string;
}

/** The connection to a manager: over HTTP, or inside the process. */
export interface EnclaveLink {
  /** The name of the manager for operators, such as its address. */
  readonly name: string;
  /**
   * Rejects with `EnclaveUnreachable` if there is no response within the default timeout of the
   * link, or the given one.
   */
  post(
    path: string,
    body: object,
    settings?: { readonly timeoutMs?: number | undefined },
  ): Promise<LinkAnswer>;
}

/** The manager does not respond; the request can be repeated. */
export class EnclaveUnreachable extends Error {
  constructor(name: string, why: string) {
    super(`the private transaction manager ${name} does not respond: ${why}`);
    this.name = "EnclaveUnreachable";
  }
}
