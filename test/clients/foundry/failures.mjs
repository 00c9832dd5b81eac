import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const CAST = fileURLToPath(new URL("node_modules/.bin/cast", import.meta.url));

/** What a developer sees when a function fails: in `cast call`, and in `cast send`. */
export async function failuresOf({ url, account, contract, address, cases }) {
  const found = [];
  for (const { name, args } of cases) {
    const { inputs } = contract.abi.find((entry) => entry.name === name);
    const signature = `${name}(${inputs.map(({ type }) => type).join(",")})`;
    const words = [address, signature, ...args.map(String), "--rpc-url", url];
    found.push({
      call: await messageOf(["call", ...words, "--from", account.address]),
      send: await messageOf(["send", ...words, "--private-key", account.key]),
    });
  }
  return found;
}

function messageOf(words) {
  return new Promise((done) => {
    execFile(CAST, words, (error, _stdout, stderr) => {
      done(error === null ? "it did not fail" : stderr.replace(/\s+/g, " ").trim());
    });
  });
}
