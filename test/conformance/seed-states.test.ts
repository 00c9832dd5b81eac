import { ALICE, FakeClock } from "@plinth/testing";
import { afterAll, beforeAll, expect } from "vitest";
import { type Authority, type AuthorityNode, startAuthority } from "../support/authority-nodes.js";
import {
  type ContractNode,
  ENODE,
  STORE,
  startContractNode,
  word,
} from "../support/contract-node.js";
import { type ContractRows, describeRows } from "../support/contract-rows.js";
import { rowsOf, sectionOf } from "../support/papers.js";
import {
  LISTED,
  LISTED_NODE,
  type PermissionNode,
  startPermissions,
} from "../support/permission-node.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const LIMIT_MS = 60_000;
const OTHER = `0x${"ef".repeat(20)}`;

interface Context {
  readonly chain: ContractNode;
  readonly permissions: PermissionNode;
  readonly authority: (namespace: Authority) => AuthorityNode;
}

let folder: TemporaryFolder;
let context: Context;
let nodes: readonly AsyncDisposable[] = [];
beforeAll(async () => {
  folder = temporaryFolder();
  const chain = await startContractNode(folder);
  const permissions = await startPermissions(folder);
  const authorities = {
    clique: await startAuthority("clique"),
    ibft: await startAuthority("ibft"),
    qbft: await startAuthority("qbft"),
  };
  nodes = [chain, permissions, ...Object.values(authorities)];
  context = { chain, permissions, authority: (namespace) => authorities[namespace] };
}, LIMIT_MS);
afterAll(async () => {
  for (const node of nodes) await node[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** A private group with a contract, and a filter for its logs. */
async function installFilter({ http, sendPrivate, keys }: ContractNode, options: object = {}) {
  const nonce = async () =>
    Number(await http("priv_getEeaTransactionCount", [ALICE.address, keys[0], [keys[1]]]));
  const marker = await sendPrivate({ nonce: await nonce(), data: STORE });
  const receipt = Object(await http("priv_getTransactionReceipt", [marker]));
  const { privacyGroupId: group, contractAddress: to } = receipt;
  const filter = await http("priv_newFilter", [group, options]);
  const store = async () => sendPrivate({ nonce: await nonce(), to, data: `0x${word(5)}` });
  return { group, filter, store };
}

/** Votes of an engine with its three methods. */
const voteRows = (
  namespace: Authority,
  methods: { readonly propose: string; readonly discard: string; readonly list: string },
) => ({
  async propose({ authority }: Context) {
    const { both } = authority(namespace);
    for (const isFor of [true, false]) {
      expect(await both(methods.propose, [OTHER, isFor])).toBe(true);
      expect(await both(methods.list)).toEqual({ [OTHER]: isFor });
    }
  },
  async discard({ authority }: Context) {
    const { http, both } = authority(namespace);
    await http(methods.propose, [OTHER, true]);
    expect(await http(methods.discard, [OTHER])).toBe(true);
    expect(await both(methods.list)).toEqual({});
  },
});
const clique = voteRows("clique", {
  propose: "clique_propose",
  discard: "clique_discard",
  list: "clique_proposals",
});
const [ibft, qbft] = (["ibft", "qbft"] as const).map((name) =>
  voteRows(name, {
    propose: `${name}_proposeValidatorVote`,
    discard: `${name}_discardValidatorVote`,
    list: `${name}_getPendingVotes`,
  }),
) as [ReturnType<typeof voteRows>, ReturnType<typeof voteRows>];

const STATES: ContractRows<Context> = {
  async "private log filter, none: priv_newFilter"({ chain }) {
    const { filter } = await installFilter(chain);
    expect(filter).toMatch(/^0x[0-9a-f]+$/);
  },
  async "private log filter, installed: priv_getFilterChanges"({ chain }) {
    const { group, filter, store } = await installFilter(chain);
    expect(await chain.both("priv_getFilterChanges", [group, filter])).toEqual([]);
    await store();
    const poll = () => chain.http("priv_getFilterChanges", [group, filter]);
    expect([await poll(), await poll()]).toMatchObject([[{ data: `0x${word(5)}` }], []]);
  },
  async "private log filter, installed: priv_getFilterLogs"({ chain }) {
    const { group, filter, store } = await installFilter(chain, { fromBlock: "latest" });
    await store();
    for (let time = 0; time < 2; time++) {
      const logs = await chain.both("priv_getFilterLogs", [group, filter]);
      expect(logs).toMatchObject([{ data: `0x${word(5)}` }]);
    }
  },
  async "private log filter, installed: priv_uninstallFilter"({ chain }) {
    const { group, filter } = await installFilter(chain);
    expect(await chain.http("priv_uninstallFilter", [group, filter])).toBe(true);
    await expect(chain.both("priv_getFilterChanges", [group, filter])).rejects.toBeDefined();
  },
  async "private log filter, installed: no call to priv_getFilterChanges or priv_getFilterLogs for 10 minutes"() {
    using place = temporaryFolder();
    const clock = new FakeClock(Date.now());
    await using chain = await startContractNode(place, clock);
    const { group, filter } = await installFilter(chain);
    const poll = () => chain.http("priv_getFilterChanges", [group, filter]);
    await clock.advance(9 * 60_000);
    expect(await poll()).toEqual([]);
    await clock.advance(9 * 60_000);
    expect(await chain.http("priv_getFilterLogs", [group, filter])).toEqual([]);
    await clock.advance(12 * 60_000);
    await expect(poll()).rejects.toBeDefined();
  },
  async "privacy group, none: priv_createPrivacyGroup"({ chain: { both, http, keys } }) {
    const id = await http("priv_createPrivacyGroup", [{ addresses: [keys[0]], name: "a" }]);
    const found = await both("priv_findPrivacyGroup", [[keys[0]]]);
    expect(found).toContainEqual(expect.objectContaining({ privacyGroupId: id, name: "a" }));
    await http("priv_deletePrivacyGroup", [id]);
  },
  async "privacy group, exists: priv_deletePrivacyGroup"({ chain: { both, http, keys } }) {
    const id = await http("priv_createPrivacyGroup", [{ addresses: [keys[0]] }]);
    expect(await http("priv_deletePrivacyGroup", [id])).toBe(id);
    expect(await both("priv_findPrivacyGroup", [[keys[0]]])).toEqual([]);
  },
  "signer proposal (Clique), none: clique_propose with proposal=true (add) or false (remove)":
    clique.propose,
  "signer proposal (Clique), pending: clique_discard": clique.discard,
  "validator vote (IBFT 2.0), none: ibft_proposeValidatorVote": ibft.propose,
  "validator vote (IBFT 2.0), pending: ibft_discardValidatorVote": ibft.discard,
  "validator vote (QBFT), none: qbft_proposeValidatorVote": qbft.propose,
  "validator vote (QBFT), pending: qbft_discardValidatorVote": qbft.discard,
  async "static node, absent: admin_addPeer"({ chain: { http } }) {
    expect(await http("admin_addPeer", [ENODE])).toBe(true);
    expect(await http("admin_addPeer", [ENODE])).toBe(false);
    await http("admin_removePeer", [ENODE]);
  },
  async "static node, present: admin_removePeer"({ chain: { http } }) {
    await http("admin_addPeer", [ENODE]);
    expect(await http("admin_removePeer", [ENODE])).toBe(true);
    expect(await http("admin_removePeer", [ENODE])).toBe(false);
  },
  async "accounts allowlist entry, absent: perm_addAccountsToAllowlist"({ permissions }) {
    await permissions.reset();
    await permissions.http("perm_addAccountsToAllowlist", [[OTHER]]);
    expect(await permissions.both("perm_getAccountsAllowlist")).toEqual([LISTED, OTHER]);
  },
  async "accounts allowlist entry, present: perm_removeAccountsFromAllowlist"({ permissions }) {
    await permissions.reset();
    await permissions.http("perm_removeAccountsFromAllowlist", [[LISTED]]);
    expect(await permissions.both("perm_getAccountsAllowlist")).toEqual([]);
  },
  async "nodes allowlist entry, absent: perm_addNodesToAllowlist"({ permissions }) {
    await permissions.reset();
    await permissions.http("perm_addNodesToAllowlist", [[ENODE]]);
    expect(await permissions.both("perm_getNodesAllowlist")).toEqual([LISTED_NODE, ENODE]);
  },
  async "nodes allowlist entry, present: perm_removeNodesFromAllowlist"({ permissions }) {
    await permissions.reset();
    await permissions.http("perm_removeNodesFromAllowlist", [[LISTED_NODE]]);
    expect(await permissions.both("perm_getNodesAllowlist")).toEqual([]);
  },
  async "both allowlists, any: perm_reloadPermissionsFromFile"({ permissions }) {
    await permissions.reset();
    permissions.write(`accounts-allowlist=["${OTHER}"]\nnodes-allowlist=[]\n`);
    expect(await permissions.both("perm_reloadPermissionsFromFile")).toBe("Success");
    expect(await permissions.both("perm_getAccountsAllowlist")).toEqual([OTHER]);
    expect(await permissions.both("perm_getNodesAllowlist")).toEqual([]);
    permissions.write("accounts-allowlist=[");
    await expect(permissions.both("perm_reloadPermissionsFromFile")).rejects.toBeDefined();
    expect(await permissions.both("perm_getAccountsAllowlist")).toEqual([OTHER]);
  },
  async "local chain head, block N: debug_setHead(M)"({ chain: { http, both } }) {
    const head = Number(await http("eth_blockNumber"));
    const before = `0x${(head - 1).toString(16)}`;
    expect(await http("debug_setHead", [before])).toBe("Success");
    expect(await both("eth_blockNumber")).toBe(before);
  },
  async "local chain head, block N: debug_replayBlock(M)"({ chain: { http, both } }) {
    const head = Object(await http("eth_getBlockByNumber", ["latest", false]));
    expect(await http("debug_replayBlock", [head.number])).toBe("Success");
    expect(await both("eth_getBlockByNumber", ["latest", false])).toEqual(head);
  },
};

describeRows("states and transitions", {
  rows: STATES,
  context: () => context,
  listed: (seed) =>
    rowsOf(sectionOf(seed, "## States and transitions")).map(
      ([entity, state, trigger]) => `${entity}, ${state}: ${trigger}`,
    ),
});
