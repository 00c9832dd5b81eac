import type { SealedBlock } from "@plinth/core";

/** The log line for a block from a peer, in Besu's format. */
export function formatImported(
  { header, body }: SealedBlock,
  { seconds, peers }: { readonly seconds: number; readonly peers: number },
): string {
  const { number, gasUsed, gasLimit, hash } = header;
  const percent = gasLimit === 0n ? 0 : (Number(gasUsed) * 100) / Number(gasLimit);
  return [
    `Imported #${grouped(number)}`,
    `${body.transactions.length} tx`,
    `${body.uncles.length} om`,
    `${grouped(gasUsed)} (${percent.toFixed(1)}%) gas`,
    `(${hash}) in ${seconds.toFixed(3)}s. Peers: ${peers}`,
  ].join(" / ");
}

/** With thousands separators. */
export function grouped(number: bigint): string {
  return number.toLocaleString("en-US");
}
