import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pruneBlocks } from "../support/prune-blocks.js";
import { runSnapshot, SNAPSHOT_CHAINS, startSnapshotNode } from "../support/snapshot-chain.js";
import { openDatabase } from "../support/stored-data.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Writes a storage slot, and leaves a contract of one byte. */
const CREATION = { data: "602a60005560fe60005360016000f3", gasLimit: 200_000n };
const transferOf = (value: bigint) => ({ to: `0x${"b0".repeat(20)}`, value }) as const;

describe("snapshot create", () => {
  it("writes the state of a running node, which verifies", async () => {
    using folder = temporaryFolder();
    await using chain = await startSnapshotNode(folder.file("data"), "qbft");
    await chain.add(transferOf(1n), CREATION);
    await chain.add(transferOf(2n));
    const snapshot = folder.file("snapshot");

    const created = await runSnapshot(folder.file("data"), "create", { args: [snapshot] });
    await chain.add(transferOf(3n));
    const verified = await runSnapshot(folder.file("data"), "verify", { args: [snapshot] });
    const inspected = await runSnapshot("", "inspect", { args: [snapshot], flags: { json: true } });

    expect(created.output).toContain("Snapshot in ");
    expect(created.output).toContain("Blocks of blocks 1 to 2: 1 file,");
    expect(verified.error).toBeUndefined();
    expect(verified.output).toMatch(/^Intact: block 2 .*Codes: 1 in 1 file,.* accounts, 1 slots/s);
    expect(JSON.parse(inspected.output)).toMatchObject({
      format: "plinth-snapshot",
      block: { number: 2 },
      files: { headers: { files: 1, firstBlock: 0, count: 3 }, state: { files: 1 } },
    });
    expect(readdirSync(folder.file("data")).filter((name) => name.startsWith("."))).toEqual([]);
    expect(readdirSync(folder.path).sort()).toEqual(["data", "snapshot"]);
  });

  it("writes the state of an earlier block", async () => {
    using folder = temporaryFolder();
    const data = folder.file("data");
    {
      await using chain = await startSnapshotNode(data, "qbft");
      for (let number = 1; number <= 4; number++) await chain.add(transferOf(1n), CREATION);
    }

    for (const block of [0, 2]) {
      const snapshot = folder.file(`block-${block}`);
      const created = await runSnapshot(data, "create", { args: [snapshot], flags: { block } });
      const verified = await runSnapshot(data, "verify", { args: [snapshot] });

      expect(created.error).toBeUndefined();
      expect(verified.output).toMatch(new RegExp(`^Intact: block ${block} .* ${block} slots`, "s"));
    }
  });

  it("chooses a block of a Clique chain that later headers prove", async () => {
    using folder = temporaryFolder();
    const data = folder.file("data");
    {
      await using chain = await startSnapshotNode(data, "clique");
      for (let number = 1; number <= 5; number++) await chain.add(transferOf(1n));
    }
    const genesis = SNAPSHOT_CHAINS.clique;
    const snapshot = folder.file("snapshot");

    await runSnapshot(data, "create", { args: [snapshot], genesis });
    const verified = await runSnapshot(data, "verify", { args: [snapshot], genesis });
    const late = await runSnapshot(data, "create", {
      args: [folder.file("late")],
      flags: { block: 5 },
      genesis,
    });

    expect(verified.output).toMatch(/^Intact: block 3 .*Headers of blocks 0 to 5/s);
    expect(late.error).toMatchObject({
      code: "SNAPSHOT_REFUSED",
      message: "--block=5: headers prove the blocks up to 3",
    });
  });

  it("omits bodies that are no longer kept", async () => {
    using folder = temporaryFolder();
    const data = folder.file("data");
    {
      await using chain = await startSnapshotNode(data, "qbft");
      for (let number = 1; number <= 6; number++) await chain.add(transferOf(1n));
    }
    const store = await openDatabase(join(data, "database"));
    await pruneBlocks(store, 4n);
    await store.close();
    const snapshot = folder.file("snapshot");

    const created = await runSnapshot(data, "create", { args: [snapshot] });
    const verified = await runSnapshot(data, "verify", { args: [snapshot] });

    expect(created.output).toMatch(/Blocks of blocks 4 to 6/);
    expect(verified.error).toBeUndefined();
  });

  it("is refused without a database, a provable chain, the block, or an empty folder", async () => {
    using folder = temporaryFolder();
    const data = folder.file("data");
    await (await startSnapshotNode(data, "qbft"))[Symbol.asyncDispose]();
    writeFileSync(folder.file("mine"), "");
    const create = (args: readonly string[], more = {}) =>
      runSnapshot(data, "create", { args, ...more });
    const target = folder.file("snapshot");

    const missing = await runSnapshot(folder.file("none"), "create", { args: [target] });
    const dev = await create([target], { genesis: SNAPSHOT_CHAINS.dev });
    const late = await create([target], { flags: { block: 9 } });
    const full = await create([folder.path]);
    const stopped = await create([target], { signal: AbortSignal.abort() });

    expect(missing.error).toMatchObject({ code: "DATABASE_MISSING" });
    expect(dev.error).toMatchObject({ code: "GENESIS_MISMATCH" });
    expect(late.output).toContain("--block=9: the chain ends at block 0");
    expect(full.output).toContain("the folder is not empty");
    expect(stopped.error).toMatchObject({ code: "SNAPSHOT_STOPPED" });
    expect(readdirSync(folder.path).sort()).toEqual(["data", "mine"]);
  });
});

describe("snapshot verify", () => {
  it("refuses another chain, and files that are changed, missing or exchanged", async () => {
    using folder = temporaryFolder();
    const data = folder.file("data");
    {
      await using chain = await startSnapshotNode(data, "qbft");
      for (let number = 1; number <= 3; number++) await chain.add(transferOf(1n), CREATION);
    }
    const snapshot = folder.file("snapshot");
    await runSnapshot(data, "create", { args: [snapshot] });
    const verify = (genesis?: object) =>
      runSnapshot(data, "verify", { args: [snapshot], ...(genesis && { genesis }) });

    const other = await verify({ ...SNAPSHOT_CHAINS.qbft, gasLimit: "0x1c9c381" });
    expect(other.output).toContain("that of the genesis file is");
    const dev = await verify(SNAPSHOT_CHAINS.dev);
    expect(dev.error).toBeDefined();

    for (const name of readdirSync(snapshot)) {
      const path = join(snapshot, name);
      const bytes = readFileSync(path);
      const changed = Buffer.from(bytes);
      const at = bytes.length >> 1;
      changed[at] = (changed[at] as number) ^ 1;
      writeFileSync(path, changed);
      const { error, output } = await verify();
      expect(error, name).toMatchObject({ name: "SnapshotError" });
      expect(output).toContain(name);
      writeFileSync(path, bytes);
    }
    expect((await verify()).error).toBeUndefined();
  });
});
