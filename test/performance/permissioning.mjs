// `npm run bench permissioning`: the cost of long lists of accounts and nodes: at a start, at a
// change and at a check.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin } from "@plinth/core";
import { createNode } from "@plinth/node";
import consensusDev from "@plinth/plugin-consensus-dev";
import evmPlinth from "@plinth/plugin-evm-plinth";
import permissioningLocal from "@plinth/plugin-permissioning-local";
import { localPermissions } from "@plinth/plugin-permissioning-local/api";
import { median } from "./measured.mjs";

const CHANGES = 7;
const CHECKS = 1_000_000;
const NODE = { keyValueStorage: "memory" };

const digits = (number, length) => number.toString(16).padStart(length, "0");
const account = (number) => `0x${digits(number, 40)}`;
const enode = (number) => {
  const host = [127, number >> 16, (number >> 8) & 255, number & 255].join(".");
  return `enode://${digits(number, 128)}@${host}:30303`;
};

/** Rows of `[what, value, bound]`. */
export async function benchPermissioning() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-permissioning-"));
  try {
    const short = await measure(folder, 10);
    const long = await measure(folder, 10_000);
    const longest = await measure(folder, 100_000);
    console.log(JSON.stringify({ 10: short, 10000: long, 100000: longest }));
    return [
      ["ms for a change of 10,000 accounts", long.account, 50],
      ["ms for a change of 10,000 nodes", long.node, 50],
      ["ms for a change of 100,000 accounts", longest.account, 500],
      ["ms for a change of 100,000 nodes", longest.node, 500],
      ["ms that a start takes longer with 100,000 of each", longest.start - short.start, 2000],
      ["µs for a check of one of 100,000 accounts", longest.check, 2],
      ["µs for a check of one of 10 accounts", short.check, 2],
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder, count) {
  const path = join(folder, `${count}.toml`);
  const numbers = Array.from({ length: count }, (_, number) => number);
  const accounts = JSON.stringify(numbers.map(account));
  const nodes = JSON.stringify(numbers.map(enode));
  writeFileSync(path, `accounts-allowlist=${accounts}\nnodes-allowlist=${nodes}\n`);
  let permissions;
  const reader = definePlugin({
    name: "reader",
    dependencies: { permissions: localPermissions },
    setup: ({ onStart }) =>
      onStart((runtime) => {
        permissions = runtime.permissions;
      }),
  });
  const node = await createNode({
    plugins: [evmPlinth, consensusDev, permissioningLocal, reader],
    options: {
      ...NODE,
      permissionsAccountsConfigFileEnabled: true,
      permissionsAccountsConfigFile: path,
      permissionsNodesConfigFileEnabled: true,
      permissionsNodesConfigFile: path,
    },
    genesis: { config: { chainId: 1337, dev: {} }, alloc: {} },
  });
  const start = await msOf(() => node.start());
  const changes = { account: [], node: [] };
  for (let change = 0; change < CHANGES; change++) {
    const number = 2 ** 23 + change;
    changes.account.push(await msOf(() => permissions.accounts.add([account(number)])));
    changes.node.push(await msOf(() => permissions.nodes.add([enode(number)])));
  }
  const checked = numbers.map(account);
  const check = await msOf(async () => {
    for (let at = 0; at < CHECKS; at++) permissions.accounts.has(checked[at % count]);
  });
  await node.stop();
  return {
    start: Math.round(start),
    account: Math.round(median(changes.account)),
    node: Math.round(median(changes.node)),
    check: (check / CHECKS) * 1000,
  };
}

async function msOf(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
