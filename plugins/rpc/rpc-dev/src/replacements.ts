import { type Hash, type Method, method, t } from "@plinth/core";
import { awaitBlock } from "./await-block.js";
import type { DevHolder } from "./dev.js";
import { sendFrom, transactionRequest } from "./transaction-request.js";

/** Replacements for methods of other plugins, by full name. */
export type Replacements = Readonly<Record<string, (old: Method<unknown>) => Method<unknown>>>;

/**
 * Wraps methods that behave differently on a development chain; on any other chain they are
 * unchanged.
 */
export function createReplacements(
  holder: DevHolder,
  { clientVersion }: { readonly clientVersion: string | undefined },
): Replacements {
  const onDevChain = (make: (old: Method<unknown>) => Method<unknown>) => {
    return (old: Method<unknown>): Method<unknown> => {
      const made = make(old);
      const handle: Method<unknown>["handle"] = (params, call) =>
        (holder.isOpen ? made : old).handle(params, call);
      return { ...made, example: made.example ?? old.example, handle };
    };
  };
  return {
    eth_accounts: onDevChain(() => accounts(holder)),
    eth_sendTransaction: onDevChain(() => sendTransaction(holder)),
    eth_sendRawTransaction: onDevChain((old) => onceSettled(old, holder)),
    ...(clientVersion === undefined
      ? {}
      : { web3_clientVersion: onDevChain(() => named(clientVersion)) }),
  };
}

const accounts = (holder: DevHolder) =>
  method({
    summary: "Lists the accounts whose keys the node holds.",
    result: t.array(t.address),
    handle: () => holder.current.senders.unlocked(),
  });

const sendTransaction = (holder: DevHolder) =>
  method({
    summary: "Sends a transaction of an unlocked or impersonated account.",
    params: { transaction: onDevChainOnly(holder) },
    result: t.hash,
    async handle({ transaction }) {
      const { current } = holder;
      const hash = await sendFrom(transaction, current);
      await awaitBlock(current, hash);
      return hash;
    },
  });

/** On other chains nothing is decoded: there the original method rejects any argument. */
function onDevChainOnly(holder: DevHolder): typeof transactionRequest {
  const decode: (typeof transactionRequest)["decode"] = (json, path) =>
    holder.isOpen ? transactionRequest.decode(json, path) : (json as never);
  return { ...transactionRequest, decode };
}

const named = (clientVersion: string) =>
  method({
    summary: "Returns the configured client version.",
    result: t.text,
    handle: () => clientVersion,
  });

/** Resolves once the block of the transaction is committed, so that its receipt is available. */
function onceSettled(old: Method<unknown>, holder: DevHolder): Method<unknown> {
  return {
    ...old,
    handle: async (params, call) => {
      const hash = await old.handle(params, call);
      if (typeof hash === "string") await awaitBlock(holder.current, hash as Hash);
      return hash;
    },
  };
}
