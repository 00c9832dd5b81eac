import { addressLink, blockLink, tokenLink, transactionLink } from "../parts/links.js";
import { columns, table } from "../parts/table.js";
import { formatAmount, readToken, type Transfer } from "../tokens.js";

/** A table of token transfers, with the symbols and units of their tokens. */
export async function transferTable(
  transfers: readonly Transfer[],
  name: string,
): Promise<HTMLElement> {
  const addresses = [...new Set(transfers.map(({ token }) => token))];
  const tokens = new Map(
    await Promise.all(addresses.map(async (each) => [each, await readToken(each)] as const)),
  );
  return table({
    name,
    columns: columns("Transaction", "Block#", "Token", "Kind", "From", "To", "Amount#"),
    rows: transfers.map((transfer) => {
      const { token, kind, from, to, log } = transfer;
      return [
        transactionLink(log.transactionHash),
        blockLink(log.blockNumber),
        tokenLink(token, tokens.get(token)?.symbol),
        kind,
        addressLink(from),
        addressLink(to),
        formatAmount(transfer, tokens.get(token)),
      ];
    }),
    empty: "No transfers.",
  });
}
