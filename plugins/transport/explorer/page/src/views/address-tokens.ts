import { type Child, h } from "../dom.js";
import { formatUnits } from "../format.js";
import { tokenLink } from "../parts/links.js";
import { logPages } from "../parts/log-pages.js";
import { columns, table } from "../parts/table.js";
import {
  pad,
  readBalance,
  readItemBalance,
  readToken,
  type Token,
  TRANSFER,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
  type Transfer,
  transfersIn,
} from "../tokens.js";
import type { Log } from "../types.js";
import { transferTable } from "./transfer-table.js";

const MAX_TOKENS = 50;
const MAX_ITEMS = 20;

/** The tokens of an address: balances, and the transfers by which it got and spent them. */
export function addressTokens(address: string): HTMLElement {
  const topic = `0x${pad(address)}`;
  const multi = [TRANSFER_SINGLE, TRANSFER_BATCH];
  const filters = [
    { topics: [TRANSFER, topic] },
    { topics: [TRANSFER, null, topic] },
    { topics: [multi, null, topic] },
    { topics: [multi, null, null, topic] },
  ];
  return logPages(filters, (logs) => show(address, logs));
}

async function show(address: string, logs: readonly Log[]): Promise<Child> {
  const transfers = transfersIn(logs).filter(({ from, to }) => from === address || to === address);
  const addresses = [...new Set(transfers.map(({ token }) => token))];
  const rows = await Promise.all(
    addresses.slice(0, MAX_TOKENS).map((token) => balanceRow(token, address, transfers)),
  );
  return [
    table({
      name: "Token balances",
      columns: columns("Token", "Name", "Kind", "Balance#"),
      rows: rows.flatMap((row) => (row === undefined ? [] : [row])),
      empty: "No tokens in these blocks.",
    }),
    addresses.length > MAX_TOKENS &&
      h("p", { class: "dim" }, `… ${addresses.length - MAX_TOKENS} more tokens`),
    transfers.length > 0 && (await transferTable(transfers, "Token transfers")),
  ];
}

async function balanceRow(
  address: string,
  account: string,
  transfers: readonly Transfer[],
): Promise<readonly Child[] | undefined> {
  const token = await readToken(address);
  if (token === undefined) return undefined;
  const balance = await balanceOf(token, account, transfers);
  return [tokenLink(address, token.symbol), h("bdi", {}, token.name ?? ""), token.kind, balance];
}

async function balanceOf(
  token: Token,
  account: string,
  transfers: readonly Transfer[],
): Promise<string> {
  if (token.kind !== "ERC-1155") {
    const balance = await readBalance(token.address, account);
    return balance === undefined ? "unknown" : formatUnits(balance, token.decimals);
  }
  const own = transfers.filter((transfer) => transfer.token === token.address);
  const ids = [...new Set(own.flatMap(({ id }) => (id === undefined ? [] : [id])))];
  const balances = await Promise.all(
    ids.slice(0, MAX_ITEMS).map(async (id) => {
      const balance = await readItemBalance(token.address, account, id);
      return `${balance ?? "unknown"} of #${id}`;
    }),
  );
  return [...balances, ...(ids.length > MAX_ITEMS ? ["…"] : [])].join(", ");
}
