import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { localhost } from "viem/chains";

/** What a developer sees when a function fails: in a call, and in a transaction. */
export async function failuresOf({ url, account, contract, address, cases }) {
  const client = createWalletClient({
    account: privateKeyToAccount(account.key),
    chain: localhost,
    transport: http(url),
  }).extend(publicActions);
  const found = [];
  for (const { name, args } of cases) {
    const request = { abi: contract.abi, address, functionName: name, args };
    found.push({
      call: await messageOf(client.readContract(request)),
      send: await messageOf(client.writeContract(request)),
    });
  }
  return found;
}

/** The first lines, before those that repeat the call; and the node's message, if viem shows it. */
async function messageOf(promise) {
  const error = await promise.then(
    () => new Error("it did not fail"),
    (thrown) => thrown,
  );
  const details = /^Details: (.*)$/m.exec(error.message)?.[1];
  const [first] = error.message.split("\n\n");
  const decoded = /^Error: (.*)\n(.*)/m.exec(error.message)?.slice(1).join("");
  const shown = [first, decoded, details].filter((text) => text !== undefined);
  return shown.join(" · ").replace(/\s+/g, " ").trim();
}
