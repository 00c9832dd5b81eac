import { type Address, type Hash, type StateReader, toHex, toQuantity } from "@plinth/core";
import { EMPTY_CODE_HASH, type Tracer, type TraceStep } from "@plinth/core/evm";
import { addressIn, canReach } from "@plinth/kit-trace";
import { addressOfCreation } from "./address-of-creation.js";
import type { NamedTracer, TracedRun } from "./named-tracer.js";

/** Options of the tracer. */
export interface PrestateConfig {
  readonly diffMode: boolean;
  readonly disableCode: boolean;
  readonly disableStorage: boolean;
}

/** An account as of its first access. */
interface Seen {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
  readonly codeHash: Hash;
  readonly storage: Map<Hash, bigint>;
}

const SLOTS: readonly number[] = [0x54, 0x55];
/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH and SELFDESTRUCT. */
const LOOKS: readonly number[] = [0x31, 0x3b, 0x3c, 0x3f, 0xff];
/** CALL, CALLCODE, DELEGATECALL and STATICCALL. */
const CALLS: readonly number[] = [0xf1, 0xf2, 0xf4, 0xfa];
const CREATES: readonly number[] = [0xf0, 0xf5];

/**
 * The accounts that a transaction accessed, before it; with `diffMode`, the changed ones before and
 * after it.
 */
export class PrestateTracer implements NamedTracer {
  readonly #config: PrestateConfig;
  readonly #state: StateReader;
  readonly #seen = new Map<Address, Seen>();
  /** Contracts that the transaction created: shown only if the address was not empty before. */
  readonly #created = new Set<Address>();

  constructor(config: PrestateConfig, run: TracedRun) {
    const { state, sender, to, feeRecipient } = run;
    this.#config = config;
    this.#state = state;
    this.#look(sender);
    if (to === undefined) this.#create(addressOfCreation(sender, this.#nonceOf(sender)));
    else this.#look(to);
    this.#look(feeRecipient);
  }

  readonly tracer: Tracer = { readsAtOnce: true, step: (step) => this.#step(step) };

  traceOf(): unknown {
    return this.#config.diffMode ? this.#difference() : this.#before();
  }

  #step(step: TraceStep): void {
    // Reading the stack may copy it.
    const { op, address } = step;
    if (SLOTS.includes(op)) this.#lookAtSlot(address, step.stack.at(-1) ?? 0n);
    else if (LOOKS.includes(op)) this.#look(addressIn(step.stack.at(-1)));
    else if (CALLS.includes(op)) this.#look(addressIn(step.stack.at(-2)));
    else if (CREATES.includes(op) && canReach(step, step.stack.at(-2), step.stack.at(-3))) {
      this.#create(addressOfCreation(address, this.#nonceOf(address), step));
    }
  }

  #look(address: Address): Seen {
    const known = this.#seen.get(address);
    if (known !== undefined) return known;
    const account = this.#state.findAccount(address);
    const seen: Seen = {
      balance: account?.balance ?? 0n,
      nonce: account?.nonce ?? 0n,
      code: this.#state.getCode(address),
      codeHash: account?.codeHash ?? EMPTY_CODE_HASH,
      storage: new Map(),
    };
    this.#seen.set(address, seen);
    return seen;
  }

  #create(address: Address): void {
    this.#created.add(address);
    this.#look(address);
  }

  #lookAtSlot(address: Address, slot: bigint): void {
    if (this.#config.disableStorage) return;
    const { storage } = this.#look(address);
    const key = word(slot);
    if (!storage.has(key)) storage.set(key, this.#state.getStorage(address, key));
  }

  #nonceOf(address: Address): bigint {
    return this.#state.findAccount(address)?.nonce ?? 0n;
  }

  #before(): object {
    const reported = [...this.#seen].filter(([address, seen]) => !this.#isNew(address, seen));
    return Object.fromEntries(reported.map(([address, seen]) => [address, this.#describe(seen)]));
  }

  #difference(): object {
    const pre: Record<Address, object> = {};
    const post: Record<Address, object> = {};
    for (const [address, seen] of this.#seen) {
      const after = this.#changesOf(address, seen);
      if (after === undefined) continue;
      const changed = [...seen.storage].filter(
        ([slot, value]) => value !== 0n && this.#state.getStorage(address, slot) !== value,
      );
      if (!this.#isNew(address, seen)) {
        pre[address] = this.#describe({ ...seen, storage: new Map(changed) });
      }
      if (this.#state.findAccount(address) !== undefined) post[address] = after;
    }
    return { post, pre };
  }

  /** The changed fields of an account; `undefined` if there are none. */
  #changesOf(address: Address, seen: Seen): object | undefined {
    const account = this.#state.findAccount(address);
    const { balance = 0n, nonce = 0n, codeHash = EMPTY_CODE_HASH } = account ?? {};
    const slots = [...seen.storage.keys()].filter(
      (slot) => this.#state.getStorage(address, slot) !== seen.storage.get(slot),
    );
    const kept = slots.map((slot) => [slot, this.#state.getStorage(address, slot)] as const);
    const isSame =
      balance === seen.balance &&
      nonce === seen.nonce &&
      codeHash === seen.codeHash &&
      slots.length === 0;
    if (isSame) return undefined;
    const storage = kept.filter(([, value]) => value !== 0n);
    return {
      ...(balance === seen.balance ? {} : { balance: toQuantity(balance) }),
      ...(codeHash === seen.codeHash || this.#config.disableCode
        ? {}
        : { code: toHex(this.#state.getCode(address)), codeHash }),
      ...(nonce === seen.nonce ? {} : { nonce: Number(nonce) }),
      ...(storage.length === 0 ? {} : { storage: describeSlots(storage) }),
    };
  }

  #isNew(address: Address, { balance, nonce, code }: Seen): boolean {
    return this.#created.has(address) && balance === 0n && nonce === 0n && code.length === 0;
  }

  #describe({ balance, nonce, code, codeHash, storage }: Seen): object {
    const hasCode = code.length > 0 && !this.#config.disableCode;
    return {
      balance: toQuantity(balance),
      ...(hasCode ? { code: toHex(code), codeHash } : {}),
      ...(nonce === 0n ? {} : { nonce: Number(nonce) }),
      ...(storage.size === 0 ? {} : { storage: describeSlots([...storage]) }),
    };
  }
}

function describeSlots(slots: readonly (readonly [Hash, bigint])[]): object {
  return Object.fromEntries(slots.map(([slot, value]) => [slot, word(value)]));
}

function word(value: bigint): Hash {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
