/** What a manager answered: only 200 is success. */
export interface LinkAnswer {
  readonly status: number;
  readonly body: string;
}

/** The way to a manager: over HTTP, or inside the process. */
export interface EnclaveLink {
  /** What an operator knows the manager by, such as its address. */
  readonly name: string;
  /** Rejects with `EnclaveUnreachable` where there is no answer within the usual time of the link, or the one given. */
  post(
    path: string,
    body: object,
    settings?: { readonly timeoutMs?: number | undefined },
  ): Promise<LinkAnswer>;
}

/** No manager answers; whatever was asked can be asked again. */
export class EnclaveUnreachable extends Error {
  constructor(name: string, why: string) {
    super(`the private transaction manager ${name} does not answer: ${why}`);
    this.name = "EnclaveUnreachable";
  }
}
