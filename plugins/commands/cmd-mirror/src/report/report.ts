import type { CommandIo, SealedBlock, SealedHeader } from "@plinth/core";
import type { Difference } from "../rehearsal/difference.js";
import type { ReportForm } from "./report-form.js";
import type { Verdict } from "./verdict.js";

/** Without a terminal, a line is printed per this many blocks. */
const LINE_EVERY = 1000;
const SHOW_EVERY_MS = 200;

/** Counts what was executed, and prints it as it happens. */
export class Report {
  readonly #io: CommandIo;
  readonly #form: ReportForm;
  readonly #now: () => number;
  readonly #startedAt: number;
  #shownAt = 0;
  #target = 0n;
  #verdict: Verdict = { blocks: 0, transactions: 0, differences: 0, differingBlocks: 0 };

  constructor(io: CommandIo, form: ReportForm, now: () => number) {
    this.#io = io;
    this.#form = form;
    this.#now = now;
    this.#startedAt = now();
  }

  get blocks(): number {
    return this.#verdict.blocks;
  }

  get verdict(): Verdict {
    return this.#verdict;
  }

  /** The head of the network is known. */
  target(number: bigint): void {
    this.#target = number;
  }

  /** A block was executed, with these differences. */
  async executed({ header, body }: SealedBlock, differences: readonly Difference[]): Promise<void> {
    const { blocks, transactions, first = header.number, ...counts } = this.#verdict;
    const differs = differences.length > 0;
    const firstDifference = counts.firstDifference ?? (differs ? header.number : undefined);
    this.#verdict = {
      ...counts,
      blocks: blocks + 1,
      transactions: transactions + body.transactions.length,
      differences: counts.differences + differences.length,
      differingBlocks: counts.differingBlocks + (differs ? 1 : 0),
      first,
      last: header.number,
      ...(firstDifference !== undefined && { firstDifference }),
    };
    for (const each of differences) await this.#print(this.#form.difference(each));
    await this.#progress(header);
  }

  /** The network has replaced blocks after an ancestor. */
  async reorganized(ancestor: SealedHeader, head: SealedHeader): Promise<void> {
    await this.#print(this.#form.reorganization({ ancestor, head }));
  }

  /** The state after a block is unknown from here on. */
  async obstacle(block: bigint, reason: string): Promise<void> {
    this.#verdict = { ...this.#verdict, obstacle: { block, reason } };
    await this.#print(this.#form.obstacle({ block, reason }));
  }

  /** The node has failed. */
  failed(reason: string): void {
    this.#verdict = { ...this.#verdict, failure: reason };
  }

  /** Prints the verdict. */
  async end(): Promise<void> {
    await this.#print(this.#form.verdict(this.#verdict, this.#seconds()));
  }

  async #progress({ number }: SealedHeader): Promise<void> {
    const { status } = this.#io;
    const progress = { number, target: this.#target, rate: this.blocks / this.#seconds() };
    if (status === undefined) {
      const text = this.blocks % LINE_EVERY === 0 ? this.#form.progress(progress) : undefined;
      if (text !== undefined) await this.#print(text);
      return;
    }
    const now = this.#now();
    if (now - this.#shownAt < SHOW_EVERY_MS) return;
    this.#shownAt = now;
    const line = this.#form.status({ ...progress, differences: this.#verdict.differences });
    status.show(line.slice(0, status.columns - 1));
  }

  async #print(text: string): Promise<void> {
    this.#io.status?.clear();
    await this.#io.write(text);
  }

  #seconds(): number {
    return Math.max((this.#now() - this.#startedAt) / 1000, 0.001);
  }
}
