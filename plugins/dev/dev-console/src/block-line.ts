import type { Block } from "@plinth/core";
import { grouped } from "./grouped.js";

/** A block in one line: number, transactions, gas, time. */
export function formatBlock({ header, body }: Block): string {
  const { number, gasUsed, gasLimit, timestamp } = header;
  const percent = gasLimit === 0n ? 0n : (gasUsed * 100n) / gasLimit;
  return [
    `#${number}`,
    count(body.transactions.length, "transaction"),
    `${grouped(gasUsed)} gas (${percent}%)`,
    formatTime(timestamp),
  ].join(" · ");
}

/** A number with its noun. */
export function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** A header may have any time; those beyond the range of `Date` are shown as a number. */
function formatTime(timestamp: bigint): string {
  const date = new Date(Number(timestamp) * 1000);
  return Number.isNaN(date.getTime()) ? String(timestamp) : `${date.toISOString().slice(0, 19)}Z`;
}
