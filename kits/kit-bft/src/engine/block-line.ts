import type { Address, SealedBlock } from "@plinth/core";

/** The line about a block that was decided with this node, as Besu writes it. */
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
