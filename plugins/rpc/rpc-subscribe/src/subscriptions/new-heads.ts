import type { Topic } from "./topic.js";

/** `newHeads`: every block that joins the canonical chain. */
export function newHeads(settings: { readonly includeTransactions: boolean }): Topic {
  const verbose = settings.includeTransactions;
  return { ofChain: (news) => news.heads({ verbose }) };
}
