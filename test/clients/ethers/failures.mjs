import { Contract, JsonRpcProvider, Wallet } from "ethers";

/** What a developer sees when a function fails: in a call, and in a transaction. */
export async function failuresOf({ url, account, contract, address, cases }) {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 });
  const at = new Contract(address, contract.abi, new Wallet(account.key, provider));
  const found = [];
  for (const { name, args } of cases) {
    found.push({
      call: await messageOf(at[name].staticCall(...args)),
      send: await messageOf(at[name].send(...args)),
    });
  }
  provider.destroy();
  return found;
}

async function messageOf(promise) {
  const error = await promise.then(
    () => new Error("it did not fail"),
    (thrown) => thrown,
  );
  const { shortMessage, message, revert, info } = error;
  const named = revert && `${revert.name}(${revert.args.join(", ")})`;
  const said = info?.error?.message ?? error.error?.message;
  return [shortMessage ?? message, named, said]
    .filter((text) => text !== undefined && text !== null)
    .join(" · ");
}
