import { fromBytes, toBytes } from "./abi/bytes.js";
import { decode, type Value } from "./abi/decode.js";
import { formatUnits } from "./format.js";
import { attempt } from "./rpc.js";
import type { Log } from "./types.js";

/** What a token states about itself. */
export interface Token {
  readonly address: string;
  readonly kind: "ERC-20" | "ERC-721" | "ERC-1155";
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number;
}

/** A transfer of a token; of a kind with ids, each id by itself. */
export interface Transfer {
  readonly token: string;
  readonly kind: Token["kind"];
  readonly from: string;
  readonly to: string;
  /** Of ERC-721 and ERC-1155. */
  readonly id: bigint | undefined;
  readonly amount: bigint;
  readonly log: Log;
}

/** The events of transfers. */
export const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
export const TRANSFER_SINGLE = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
export const TRANSFER_BATCH = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";

const NAME = "0x06fdde03";
const SYMBOL = "0x95d89b41";
const DECIMALS = "0x313ce567";
const TOTAL_SUPPLY = "0x18160ddd";
const ERC721_INTERFACE = "0x80ac58cd";
const ERC1155_INTERFACE = "0xd9b67a26";
/** More decimals than any token has: it would fill the page with zeros. */
const MAX_DECIMALS = 77;
/** A longer name is cut before it is shown anywhere. */
const MAX_NAME = 100;

const tokens = new Map<string, Promise<Token | undefined>>();

/** Reads a token; `undefined` if it is none. */
export function readToken(address: string): Promise<Token | undefined> {
  const known = tokens.get(address);
  if (known !== undefined) return known;
  const reading = ask(address);
  tokens.set(address, reading);
  return reading;
}

/** Calls a contract; `undefined` if that fails. */
export function ethCall(to: string, data: string): Promise<string | undefined> {
  return attempt<string>("eth_call", [{ to, data }, "latest"]);
}

/** The transfers in logs. */
export function transfersIn(logs: readonly Log[]): readonly Transfer[] {
  return logs.flatMap(transfersOf);
}

/** An amount of a token in its units, or the id of an item. */
export function formatAmount({ kind, id, amount }: Transfer, token: Token | undefined): string {
  if (kind === "ERC-20") return formatUnits(amount, token?.decimals ?? 0);
  return kind === "ERC-721" ? `#${id}` : `${amount} of #${id}`;
}

/** The supply of a token. */
export async function readSupply({ address, decimals }: Token): Promise<string | undefined> {
  const supply = numberIn(await ethCall(address, TOTAL_SUPPLY));
  return supply === undefined ? undefined : formatUnits(supply, decimals);
}

/** The balance of an account; of ERC-721 the number of its items. */
export async function readBalance(token: string, account: string): Promise<bigint | undefined> {
  return numberIn(await ethCall(token, `0x70a08231${pad(account)}`));
}

/** The balance of an account of one id of ERC-1155. */
export async function readItemBalance(
  token: string,
  account: string,
  id: bigint,
): Promise<bigint | undefined> {
  const word = id.toString(16).padStart(64, "0");
  return numberIn(await ethCall(token, `0x00fdd58e${pad(account)}${word}`));
}

/** An address as a topic or an argument, without `0x`. */
export function pad(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, "0");
}

async function ask(address: string): Promise<Token | undefined> {
  const [name, symbol, decimals, supply, isItems, isMulti] = await Promise.all([
    ethCall(address, NAME),
    ethCall(address, SYMBOL),
    ethCall(address, DECIMALS),
    ethCall(address, TOTAL_SUPPLY),
    supports(address, ERC721_INTERFACE),
    supports(address, ERC1155_INTERFACE),
  ]);
  const places = numberIn(decimals);
  const texts = { name: textIn(name), symbol: textIn(symbol) };
  if (isItems) return { address, kind: "ERC-721", ...texts, decimals: 0 };
  if (isMulti) return { address, kind: "ERC-1155", ...texts, decimals: 0 };
  if (numberIn(supply) === undefined || texts.symbol === undefined) return undefined;
  const isUsual = places !== undefined && places <= MAX_DECIMALS;
  return { address, kind: "ERC-20", ...texts, decimals: isUsual ? Number(places) : 0 };
}

async function supports(address: string, id: string): Promise<boolean> {
  const result = await ethCall(address, `0x01ffc9a7${id.slice(2).padEnd(64, "0")}`);
  return numberIn(result) === 1n;
}

function numberIn(result: string | undefined): bigint | undefined {
  return result !== undefined && /^0x[0-9a-f]{64}/.test(result)
    ? BigInt(result.slice(0, 66))
    : undefined;
}

/** A string, or 32 bytes of text as the first tokens had it. */
function textIn(result: string | undefined): string | undefined {
  if (result === undefined || result === "0x") return undefined;
  const [value] = decode([{ name: "", type: "string", components: [] }], result) ?? [];
  const text =
    value?.text ?? new TextDecoder().decode(toBytes(result.slice(0, 66))).replace(/\0+$/, "");
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
}

function transfersOf(log: Log): readonly Transfer[] {
  const [event, first = "", second = "", third] = log.topics;
  const token = log.address.toLowerCase();
  if (event === TRANSFER && log.topics.length === 3) {
    const amount = BigInt(/^0x[0-9a-f]{64}$/.test(log.data) ? log.data : "0x0");
    const parties = { from: addressIn(first), to: addressIn(second) };
    return [{ token, kind: "ERC-20", ...parties, id: undefined, amount, log }];
  }
  if (event === TRANSFER && third !== undefined) {
    const parties = { from: addressIn(first), to: addressIn(second) };
    return [{ token, kind: "ERC-721", ...parties, id: BigInt(third), amount: 1n, log }];
  }
  if (third === undefined || (event !== TRANSFER_SINGLE && event !== TRANSFER_BATCH)) return [];
  const parties = { from: addressIn(second), to: addressIn(third) };
  const type = event === TRANSFER_SINGLE ? "uint256" : "uint256[]";
  const parameter = { name: "", type, components: [] };
  const [ids, amounts] = decode([parameter, parameter], log.data) ?? [];
  if (ids === undefined || amounts === undefined) return [];
  const amountList = amounts.items ?? [amounts];
  return (ids.items ?? [ids]).flatMap((each, index) => {
    const id = numberOf(each);
    const amount = numberOf(amountList[index]);
    // Of very long lists only the first values are decoded.
    if (id === undefined || amount === undefined) return [];
    return [{ token, kind: "ERC-1155" as const, ...parties, log, id, amount }];
  });
}

function numberOf(value: Value | undefined): bigint | undefined {
  return /^\d+$/.test(value?.text ?? "") ? BigInt(value?.text ?? "") : undefined;
}

function addressIn(topic: string): string {
  return fromBytes(toBytes(topic).subarray(12));
}
