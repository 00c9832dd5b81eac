import type { Address, SealedBlock } from "@plinth/core";

/** The log line about a block decided with this node, in Besu's format. */
export function formatDecided(
  { header, body }: SealedBlock,
  { self, pending }: { readonly self: Address | undefined; readonly pending: number },
): string {
  const { number, coinbase, gasUsed, gasLimit, hash } = header;
  const percent = gasLimit === 0n ? 0 : (Number(gasUsed) * 100) / Number(gasLimit);
  return [
    `${coinbase === self ? "Produced" : "Imported"} #${number.toLocaleString("en-US")}`,
    `${body.transactions.length} tx`,
    `${pending} pending`,
    `${gasUsed.toLocaleString("en-US")} (${percent.toFixed(1)}%) gas`,
    `(${hash})`,
  ].join(" / ");
}
