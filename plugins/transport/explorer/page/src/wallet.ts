import { attempt, call } from "./rpc.js";

/** An account with which transactions can be sent. */
export interface Signer {
  readonly address: string;
  /** Where its key is. */
  readonly place: "node" | "wallet";
}

interface Wallet {
  request(call: {
    readonly method: string;
    readonly params?: readonly unknown[];
  }): Promise<unknown>;
}

/** A transaction that an account sends. */
export interface Draft {
  readonly to: string;
  readonly data: string;
  readonly value: string;
}

/** The wallet in the browser, if there is one. */
export function findWallet(): Wallet | undefined {
  const { ethereum } = window as { readonly ethereum?: Wallet };
  return typeof ethereum?.request === "function" ? ethereum : undefined;
}

/** The accounts whose keys the node holds: those of a development chain. */
export async function nodeSigners(): Promise<readonly Signer[]> {
  const accounts = (await attempt<readonly string[]>("eth_accounts")) ?? [];
  return accounts.map((address) => ({ address, place: "node" }));
}

/** Connects the wallet, which must be on the chain of the node. */
export async function walletSigners(wallet: Wallet): Promise<readonly Signer[]> {
  const accounts = (await wallet.request({ method: "eth_requestAccounts" })) as readonly string[];
  const [own, other] = await Promise.all([
    call<string>("eth_chainId"),
    wallet.request({ method: "eth_chainId" }),
  ]);
  if (BigInt(own) !== BigInt(String(other))) {
    throw new Error(`the wallet is on chain ${BigInt(String(other))}; switch it to ${BigInt(own)}`);
  }
  return accounts.map((address) => ({ address, place: "wallet" }));
}

/** Sends a transaction; returns its hash. */
export async function sendDraft({ address, place }: Signer, draft: Draft): Promise<string> {
  const params = [{ from: address, ...draft }];
  if (place === "node") return call<string>("eth_sendTransaction", params);
  const wallet = findWallet();
  if (wallet === undefined) throw new Error("the wallet has gone");
  return String(await wallet.request({ method: "eth_sendTransaction", params }));
}
