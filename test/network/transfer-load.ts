import { type Address, type Hex, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { RICH } from "./validator-network.js";

/** The target of transactions. */
export interface LoadTarget {
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
}

const PER_SECOND = 50;
const TICK_MS = 1000 / PER_SECOND;

/** A sending account. */
export interface Sender {
  readonly address: Address;
  readonly privateKey: Hex;
}

/** Transfers to one node at a time, 50 a second, by one account or several in turn. */
export class TransferLoad {
  readonly #done: Promise<void>;
  #node: LoadTarget;
  #isOver = false;
  #isPaused = false;
  #sent = 0n;
  readonly #senders: readonly Sender[];
  #sending = Promise.resolve();

  constructor(node: LoadTarget, senders: readonly Sender[] = [RICH]) {
    this.#node = node;
    this.#senders = senders;
    this.#done = this.#run();
  }

  /** Resolves when nothing is in flight. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await this.#sending;
  }

  go(): void {
    this.#isPaused = false;
  }

  /** Sends the following transactions to another node. */
  async use(node: LoadTarget): Promise<void> {
    this.#node = node;
    await this.#sending;
  }

  /** Returns how many were sent. */
  async end(): Promise<bigint> {
    this.#isOver = true;
    await this.#done;
    return this.#sent;
  }

  /** A late tick is made up for. */
  async #run(): Promise<void> {
    await loadCrypto();
    let next = Date.now() + TICK_MS;
    while (!this.#isOver) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - Date.now())));
      if (this.#isPaused) next = Date.now();
      next += TICK_MS;
      if (this.#isPaused) continue;
      this.#sending = this.#send();
      await this.#sending;
    }
  }

  async #send(): Promise<void> {
    const count = BigInt(this.#senders.length);
    const sender = this.#senders[Number(this.#sent % count)] ?? RICH;
    const usual = { chainId: 1337n, value: 1n, gasPrice: 0n, gasLimit: 21_000n };
    const nonce = this.#sent / count;
    const transfer = { ...usual, nonce, to: RICH.address, data: new Uint8Array() };
    const raw = toHex(signTransaction(transfer, hexToBytes(sender.privateKey)));
    await this.#node.rpc("eth_sendRawTransaction", [raw]);
    this.#sent += 1n;
  }
}
