import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Hash, hexToBytes } from "@plinth/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loseEntry } from "../support/lose-entry.js";
import { runProgram } from "../support/program.js";
import { creationOf, PrivacyNetwork, STORE_CODE, word } from "./privacy-network.js";

const LIMIT_MS = 120_000;
/** The managers alone are tested in `npm test`, too. */
const isLong = process.env.PLINTH_NETWORK !== undefined;
const THIRD = 2;

describe.runIf(isLong)("a member whose manager lost something", () => {
  let network: PrivacyNetwork;
  let group: string;
  let call: () => ReturnType<PrivacyNetwork["run"]>;
  beforeAll(async () => {
    network = await PrivacyNetwork.start();
    const addresses = network.managers.map(({ key }) => key);
    const create = [{ addresses, name: "all" }];
    group = (await network.node(0).rpc("priv_createPrivacyGroup", create)) as string;
    const store = await network.run(0, { nonce: 0, data: creationOf(STORE_CODE), for: group });
    const to = store.contractAddress ?? undefined;
    let nonce = 0;
    call = () => {
      nonce += 1;
      return network.run(0, { nonce, ...(to && { to }), data: word(nonce), for: group });
    };
    await call();
  }, LIMIT_MS);
  afterAll(() => network[Symbol.asyncDispose]());

  it("restores its payloads and groups when its database is gone, and continues", {
    timeout: LIMIT_MS,
  }, async () => {
    const manager = network.manager(1);
    await manager.stop();
    rmSync(manager.dataPath, { recursive: true });
    await manager.start();
    await network.managersMet();

    const { hash } = await call();
    const again = await runProgram(["enclave", "resend", `--url=${manager.nodeUrl}`], {
      folder: "/",
    });

    expect(again.code).toBe(0);
    await expect
      .poll(() => network.receipt(1, hash), PATIENCE)
      .toMatchObject({ status: "0x1", privacyGroupId: group });
    await expect.poll(() => network.root(1, group), PATIENCE).toBe(await network.root(0, group));
    expect((await manager.ask("/retrievePrivacyGroup", { privacyGroupId: group })).status).toBe(
      200,
    );
    const status = await runProgram(["enclave", "status", `--url=${manager.nodeUrl}`], {
      folder: "/",
    });
    expect(status.stdout).toContain("1 group is known.");
  });

  it("is reported with the block and the marker, and is repaired, whatever is killed meanwhile", {
    timeout: 2 * LIMIT_MS,
  }, async () => {
    await network.node(THIRD).kill("SIGTERM");
    const lost = await call();
    await loseAtThird(network, lost.hash);
    await network.node(THIRD).start();
    await network.managersMet();
    await call();
    await expect
      .poll(() => network.root(THIRD, group), PATIENCE)
      .not.toBe(await network.root(0, group));

    // Another member reports the third one, and the third one itself.
    const seen = await verify(network, 0);
    const own = await verify(network, THIRD);

    const key = network.manager(THIRD).key;
    expect(seen.code).toBe(1);
    expect(seen.stdout).toContain(
      `  ${key}: different from block ${Number(lost.blockNumber)} on\n`,
    );
    expect(seen.stdout).toContain(
      `    marker: ${lost.hash}\n    the member lacks a private transaction`,
    );
    expect(seen.stdout).toContain(`  ${network.manager(1).key}: equal\n`);
    expect(own.code).toBe(1);
    expect(own.stdout).toContain(
      `    marker: ${lost.hash}\n    this node lacks a private transaction`,
    );
    expect(own.stdout).toContain(
      `Lost: ${lost.hash} in block ${Number(lost.blockNumber)} was sent to this node`,
    );
    expect(await network.node(THIRD).rpc("plinth_privacyStatus")).toMatchObject({
      verified: { different: 2, lost: 1 },
    });

    const { nodeUrl } = network.manager(THIRD);
    const resending = runProgram(["enclave", "resend", `--url=${nodeUrl}`], { folder: "/" });
    await network.manager(THIRD).stop("SIGKILL");
    await resending;
    await network.manager(THIRD).start();
    await network.managersMet();
    expect(
      (await runProgram(["enclave", "resend", `--url=${nodeUrl}`], { folder: "/" })).code,
    ).toBe(0);
    await network.node(THIRD).rpc("admin_rebuildPrivacy", [group]);
    await network.node(THIRD).kill("SIGKILL");
    await network.node(THIRD).start();
    await expect
      .poll(() => network.root(THIRD, group), PATIENCE)
      .toBe(await network.root(0, group));

    expect((await verify(network, 0)).code).toBe(0);
    expect((await verify(network, THIRD)).code).toBe(0);
    for (const { hash } of [lost, await call()]) {
      expect(await network.receipt(THIRD, hash)).toMatchObject({ status: "0x1" });
    }
  });
});

const PATIENCE = { timeout: LIMIT_MS, interval: 200 };

/** Runs the command against a node. */
async function verify(network: PrivacyNetwork, index: number) {
  const words = ["privacy", "verify", `--url=${network.node(index).urls.http}`];
  return runProgram(words, { folder: "/" });
}

/** Removes a payload from the database of the third manager. */
async function loseAtThird(network: PrivacyNetwork, marker: Hash): Promise<void> {
  const manager = network.manager(THIRD);
  const transaction = await network.node(0).rpc("eth_getTransactionByHash", [marker]);
  await manager.stop();
  await loseEntry(join(manager.dataPath, "enclave"), hexToBytes(Object(transaction).input));
  await manager.start();
}
