import { definePlugin } from "@plinth/core";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { ALICE, BOB, signTransaction } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { type MeshSettings, ValidatorMesh } from "../support/validator-mesh.js";

const OSAKA = { shanghaiTime: 0, cancunTime: 0, pragueTime: 0, osakaTime: 0 };
/** The start time of a mesh. */
const START_SECONDS = 1_700_000_000;
const ENGINES = ["qbft", "ibft2"] as const;
type Engine = (typeof ENGINES)[number];
/** IBFT 2.0 produces all blocks of a test. */
const NEVER = 100_000;

describe.each(ENGINES)("four validators of %s with a limit per transaction", (engine) => {
  it.each([
    ["a block", {}, 8],
    // After a fork by time the block of a transition is a time.
    ["a time", OSAKA, START_SECONDS + 8],
  ])(
    "agree above and below that of the fork, changed at %s, while validators come and go",
    async (_, config, block) => {
      await using mesh = await start(engine, {
        settings: { pertxgaslimit: 20_000_000 },
        transitions: [{ block, pertxgaslimit: 100_000 }],
        config,
      });
      await vote(mesh, engine, true, [0, 1, 2]);
      const large = await send(mesh, 0, 20_000_000n);
      await mesh.untilHeight(6);
      expect(await blockOf(mesh, large)).toBeLessThan(6);
      expect(await members(mesh, engine)).toHaveLength(5);

      await vote(mesh, engine, false, [0, 1, 2]);
      await mesh.untilHeight(9);
      await refused(mesh, 1, 100_001n);
      const small = await send(mesh, 1, 100_000n);
      await mesh.untilHeight(14);
      expect(await blockOf(mesh, small)).toBeGreaterThan(9);
      expect(await members(mesh, engine)).toHaveLength(4);
      expectOneChain(mesh);
    },
  );

  it("exclude a transaction that one of them accepted by mistake", async () => {
    const limits = { pertxgaslimit: 100_000 };
    await using mesh = await start(engine, {
      settings: limits,
      settingsOf: (index) => (index === 0 ? { pertxgaslimit: 0 } : {}),
    });
    await mesh.untilHeight(1);
    const raw = await signTransaction({ to: BOB, gasPrice: 0n, gasLimit: 100_001n });
    const hash = await mesh.node(0).rpc("eth_sendRawTransaction", [raw]);
    await mesh.untilHeight(7);

    expect(await mesh.node(1).rpc("eth_getTransactionReceipt", [hash])).toBeNull();
    expectOneChain(mesh);
    const authors = [2n, 3n, 4n, 5n, 6n].map(
      (number) => mesh.node(1).node.blocks.findHeader(number)?.coinbase,
    );
    expect(authors).not.toContain(mesh.address(0));
  });
});

describe.each(ENGINES)("four validators of %s with a period for empty blocks", (engine) => {
  it("wait for transactions in round 0, also after a transition and a vote", async () => {
    await using mesh = await start(engine, {
      settings: { emptyblockperiodseconds: 6 },
      transitions: [{ block: 6, emptyblockperiodseconds: 0 }],
    });
    await mesh.untilHeight(2);
    expect(gaps(mesh, [1, 2])).toEqual([6, 6]);
    await mesh.run(2_000);
    const hash = await send(mesh, 0, 21_000n);
    await mesh.untilHeight(3);
    expect(await blockOf(mesh, hash)).toBe(3);
    expect(gaps(mesh, [3])[0]).toBeLessThanOrEqual(4);

    await vote(mesh, engine, true, [0, 1, 2]);
    await mesh.untilHeight(12);
    expect(gaps(mesh, [4, 5])).toEqual([6, 6]);
    expect(gaps(mesh, [7, 8, 9])).toEqual([1, 1, 1]);
    expect(await members(mesh, engine)).toHaveLength(5);
    expect([1, 2, 3, 4, 5].map((number) => roundOf(mesh, engine, number))).toEqual([0, 0, 0, 0, 0]);
    expectOneChain(mesh);
  });
});

describe.each(ENGINES)("validators of %s that wait for transactions", (engine) => {
  it("do not wait for a disconnected proposer once there is one", async () => {
    await using mesh = await start(engine, { settings: { emptyblockperiodseconds: 600 } });
    await mesh.run(2_000);
    const first = await send(mesh, 0, 21_000n);
    await mesh.untilHeight(1);
    expect(await blockOf(mesh, first)).toBe(1);
    const validators = mesh.addresses.slice(0, 4).sort();
    const place = (validators.indexOf(mesh.head().coinbase) + 1) % validators.length;
    const gone = mesh.addresses.indexOf(validators[place] ?? "0x");
    const others = [0, 1, 2, 3].filter((index) => index !== gone);
    await mesh.node(gone).stop();
    await mesh.run(5_000);
    expect(mesh.head(others[0]).number).toBe(1n);

    const raw = await signTransaction({ to: BOB, gasPrice: 0n, nonce: 1 });
    await mesh.node(others[0] ?? 0).rpc("eth_sendRawTransaction", [raw]);
    await mesh.untilHeight(2, others);
    expect(mesh.node(others[1] ?? 0).node.blocks.findBlock(2n)?.body.transactions).toHaveLength(1);
  });
});

describe.each(ENGINES)("validators of %s with a transaction that cannot be included", (engine) => {
  it("keep waiting in round 0 while its sender lacks the funds", async () => {
    await using mesh = await start(engine, {
      settings: { emptyblockperiodseconds: 6 },
      alloc: { [ALICE.address]: { balance: "10" } },
    });
    for (const nonce of [0, 1]) {
      const raw = await signTransaction({ to: BOB, gasPrice: 0n, nonce, value: 10n });
      await mesh.node(3).rpc("eth_sendRawTransaction", [raw]);
    }
    await mesh.untilHeight(4);

    expect(gaps(mesh, [2, 3, 4])).toEqual([6, 6, 6]);
    expect([2, 3, 4].map((number) => roundOf(mesh, engine, number))).toEqual([0, 0, 0]);
  });

  it("produce empty blocks in round 0 while a plugin skips it", async () => {
    const skipping = definePlugin({
      name: "skipping",
      setup({ hooks }) {
        hooks.build.transaction.tap(() => "skip");
      },
    });
    await using mesh = await start(engine, {
      settings: { emptyblockperiodseconds: 6 },
      plugins: [skipping],
    });
    await send(mesh, 0, 21_000n);
    await mesh.untilHeight(4);

    expect(gaps(mesh, [2, 3, 4])).toEqual([1, 1, 1]);
    expect([2, 3, 4].map((number) => roundOf(mesh, engine, number))).toEqual([0, 0, 0]);
  });
});

interface Rules extends Pick<MeshSettings, "plugins"> {
  readonly alloc?: Readonly<Record<string, object>>;
  readonly settings: object;
  readonly settingsOf?: (index: number) => object;
  readonly transitions?: readonly object[];
  readonly config?: object;
}

/** Four validators, and a fifth node. */
function start(engine: Engine, rules: Rules): Promise<ValidatorMesh> {
  const { settings, settingsOf, transitions = [], config = {}, alloc, plugins = [] } = rules;
  const common: MeshSettings = {
    validators: 4,
    others: 1,
    config: { ...config, transitions: { [engine]: transitions } },
    plugins,
    ...(alloc && { alloc: () => alloc }),
  };
  if (engine === "qbft") {
    return ValidatorMesh.start({
      ...common,
      qbft: settings,
      ...(settingsOf && { qbftOf: settingsOf }),
    });
  }
  return ValidatorMesh.start({
    ...common,
    ibft2: settings,
    qbft: { startBlock: NEVER },
    ...(settingsOf && { ibft2Of: settingsOf }),
  });
}

/** Lets some vote for or against the fifth node. */
async function vote(
  mesh: ValidatorMesh,
  engine: Engine,
  isFor: boolean,
  voters: readonly number[],
): Promise<void> {
  const method = `${namespaceOf(engine)}_proposeValidatorVote`;
  for (const index of voters) await mesh.node(index).rpc(method, [mesh.address(4), isFor]);
}

async function members(mesh: ValidatorMesh, engine: Engine): Promise<unknown> {
  return mesh.node(0).rpc(`${namespaceOf(engine)}_getValidatorsByBlockNumber`, ["latest"]);
}

function namespaceOf(engine: Engine): string {
  return engine === "qbft" ? "qbft" : "ibft";
}

async function send(mesh: ValidatorMesh, nonce: number, gasLimit: bigint): Promise<unknown> {
  const raw = await signTransaction({ to: BOB, gasPrice: 0n, nonce, gasLimit });
  return mesh.node(3).rpc("eth_sendRawTransaction", [raw]);
}

async function refused(mesh: ValidatorMesh, nonce: number, gasLimit: bigint): Promise<void> {
  const raw = await signTransaction({ to: BOB, gasPrice: 0n, nonce, gasLimit });
  for (const index of [0, 1, 2, 3, 4]) {
    const sent = mesh.node(index).rpc("eth_sendRawTransaction", [raw]);
    await expect(sent).rejects.toThrow("cap exceeded");
  }
}

async function blockOf(mesh: ValidatorMesh, hash: unknown): Promise<number> {
  const receipt = await mesh.node(1).rpc("eth_getTransactionReceipt", [hash]);
  return Number((receipt as { readonly blockNumber: string }).blockNumber);
}

/** The intervals in seconds between blocks and their parents. */
function gaps(mesh: ValidatorMesh, numbers: readonly number[]): readonly number[] {
  const timeOf = (number: number) =>
    Number(mesh.node(0).node.blocks.findHeader(BigInt(number))?.timestamp);
  return numbers.map((number) => timeOf(number) - timeOf(number - 1));
}

function roundOf(mesh: ValidatorMesh, engine: Engine, number: number): number {
  const codec = engine === "qbft" ? qbftExtraData : ibftExtraData;
  const header = mesh.node(0).node.blocks.findHeader(BigInt(number));
  return codec.decode(header?.extraData ?? new Uint8Array()).round;
}

function expectOneChain(mesh: ValidatorMesh): void {
  const heights = [0, 1, 2, 3, 4].map((index) => mesh.head(index).number);
  const lowest = heights.reduce((least, each) => (each < least ? each : least));
  const hashes = [0, 1, 2, 3, 4].map(
    (index) => mesh.node(index).node.blocks.findHeader(lowest)?.hash,
  );
  expect(new Set(hashes).size).toBe(1);
}
