import type { Address } from "@plinth/core";
import type { TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "@plinth/core/evm";
import { addressIn } from "@plinth/kit-trace";

const SELFDESTRUCT = 0xff;

/** A frame in progress. */
interface OpenFrame {
  readonly from: Address;
  /** What it and the frames inside it have created. */
  readonly created: (readonly [contract: Address, creator: Address])[];
  /** The account that receives the balance, if its last step destroys the contract. */
  heir: Address | undefined;
}

/**
 * Collects the accounts that take part in the calls of a transaction, and the contracts it creates.
 *
 * Calls that are reverted count; creations that are reverted do not exist.
 */
export class PartyTracer implements Tracer {
  readonly readsAtOnce = true;
  readonly parties = new Set<Address>();
  /** Complete at the end of the transaction. */
  readonly created: (readonly [contract: Address, creator: Address])[] = [];
  readonly #open: OpenFrame[] = [];

  enter({ kind, value, from, to, codeAddress, isPrecompile, depth }: TraceFrame): void {
    this.#open.push({ from, created: [], heir: undefined });
    // A call to a precompile is not one to an account, unless it is the transaction's own or sends value.
    const sendsValue = kind === "call" && value > 0n;
    if (isPrecompile && depth > 1 && !sendsValue) return;
    for (const party of [from, to, codeAddress]) {
      if (party !== undefined) this.parties.add(party);
    }
  }

  step({ op, stack }: TraceStep): undefined {
    const frame = this.#open.at(-1);
    if (frame !== undefined) frame.heir = op === SELFDESTRUCT ? addressIn(stack.at(-1)) : undefined;
  }

  exit({ outcome, createdAddress }: TraceFrameEnd): void {
    const frame = this.#open.pop();
    if (frame === undefined || outcome !== "success") return;
    if (frame.heir !== undefined) this.parties.add(frame.heir);
    if (createdAddress !== undefined) {
      this.parties.add(createdAddress);
      frame.created.push([createdAddress, frame.from]);
    }
    const outer = this.#open.at(-1)?.created ?? this.created;
    // One by one: there may be more than a call takes arguments.
    for (const each of frame.created) outer.push(each);
  }
}
