import { agreeProtocols, type Capability, type OfferedProtocol } from "@plinth/core/network";
import { FIRST_CODE } from "./base-protocol.js";

/** The protocol and code of a message. */
export interface ProtocolCode {
  /** The index of the protocol among those of the connection. */
  readonly protocol: number;
  /** The protocol-relative code. */
  readonly code: number;
}

/** Assigns every shared protocol its range of message ids, in alphabetical order. */
export class Multiplexer {
  readonly protocols: readonly OfferedProtocol[];
  readonly #offsets: readonly number[];

  constructor(ours: readonly OfferedProtocol[], theirs: readonly Capability[]) {
    this.protocols = agreeProtocols(ours, theirs);
    let next = FIRST_CODE;
    this.#offsets = this.protocols.map(({ length }) => {
      const offset = next;
      next += length;
      return offset;
    });
  }

  /** The message id of a protocol-relative code. */
  encode({ protocol, code }: ProtocolCode): number {
    return (this.#offsets[protocol] ?? 0) + code;
  }

  /** The protocol of a message id; `undefined` if there is none. */
  find(id: number): ProtocolCode | undefined {
    const protocol = this.#offsets.findLastIndex((offset) => offset <= id);
    const offset = this.#offsets[protocol];
    const length = this.protocols[protocol]?.length;
    if (offset === undefined || length === undefined || id >= offset + length) return undefined;
    return { protocol, code: id - offset };
  }
}
