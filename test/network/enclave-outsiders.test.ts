import { rmSync } from "node:fs";
import { request } from "node:http";
import { loadCrypto } from "@plinth/core";
import { legacyGroupId, toBase64 } from "@plinth/kit-enclave";
import {
  createKeyPair,
  encodeGroup,
  encodeLegacy,
  groupIdOf,
  hashOf,
  loadSodium,
  type PrivacyGroup,
  Sealer,
} from "@plinth/plugin-enclave/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { EnclaveProcess } from "./enclave-process.js";
import { until } from "./network-node.js";

const PATIENCE = { timeout: 60_000 };
/** All of 127.0.0.0/8 is this machine: an outsider calls from an address that no manager has. */
const OUTSIDE = "127.0.0.66";

let sodium: Awaited<ReturnType<typeof loadSodium>>;
beforeAll(async () => {
  await loadCrypto();
  sodium = await loadSodium();
});

/** Posts to the port for other managers from an address; returns the status. */
function post(url: string, path: string, body: Uint8Array, localAddress = OUTSIDE) {
  return new Promise<number>((resolve, reject) => {
    const options = { method: "POST", localAddress, headers: { "content-length": body.length } };
    const asking = request(new URL(path, url), options, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    asking.once("error", reject);
    asking.end(body);
  });
}

let folder: TemporaryFolder;
let a: EnclaveProcess;
let b: EnclaveProcess;
beforeAll(async () => {
  folder = temporaryFolder();
  [a, b] = (await EnclaveProcess.create(folder, 2)) as [EnclaveProcess, EnclaveProcess];
  await Promise.all([a.start(), b.start()]);
  for (const manager of [a, b]) await until(() => manager.knows(1), PATIENCE.timeout);
});
afterAll(async () => {
  await Promise.all([a.stop(), b.stop()]);
  folder[Symbol.dispose]();
});

describe("an outsider that knows the public keys", () => {
  it("cannot write into a group in the name of a member", async () => {
    const own = createKeyPair(sodium);
    const keyOfA = Buffer.from(a.key, "base64");
    const sealed = new Sealer(sodium).seal(Buffer.from("forged"), {
      sender: own,
      recipients: [keyOfA],
      privacyGroupId: legacyGroupId([keyOfA, Buffer.from(b.key, "base64")]),
    });
    const forged = { ...sealed, senderKey: keyOfA, recipientKeys: [own.publicKey] };

    expect(await post(a.peerUrl, "/push", encodeLegacy(forged))).toBe(400);

    expect(await a.receive(toBase64(hashOf(forged)))).toBeUndefined();
  });

  it("deletes no group, and creates few", async () => {
    const members = [a.key, b.key].map((key) => Buffer.from(key, "base64"));
    await a.send("first", [b]);
    const order = { addresses: [a.key, b.key], from: a.key, name: "two", description: "" };
    const made = JSON.parse((await a.ask("/createPrivacyGroup", order)).text);
    const find = async () => {
      const { text } = await b.ask("/findPrivacyGroup", { addresses: [a.key, b.key] });
      return JSON.parse(text) as { privacyGroupId: string; type: string }[];
    };
    const before = await find();
    expect(before).toContainEqual(made);
    const base = { name: "", description: "", members, seed: Buffer.alloc(0) } as const;
    const legacy: PrivacyGroup = { ...base, type: "LEGACY", state: "DELETED" };
    await post(b.peerUrl, "/pushPrivacyGroup", encodeGroup(legacy));
    await post(a.peerUrl, "/pushPrivacyGroup", encodeGroup(legacy));

    const pushes: Promise<number>[] = [];
    for (let seed = 0; seed < 120; seed++) {
      const group = { ...base, seed: Buffer.from(`${seed}`), type: "PANTHEON", state: "ACTIVE" };
      pushes.push(post(b.peerUrl, "/pushPrivacyGroup", encodeGroup(group as PrivacyGroup)));
    }
    const statuses = await Promise.all(pushes);

    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(await find()).toHaveLength(before.length + 100);
    expect(await a.receive(await a.send("still there", [b]))).toBe("still there");
    const { refusedDeletions } = await a.status();
    expect(refusedDeletions).toMatchObject([
      { privacyGroupId: toBase64(groupIdOf(legacy)), from: OUTSIDE },
    ]);
  });
});

describe("what only the managers of members may ask", () => {
  it("is refused to an outsider, and answered to a member", async () => {
    const key = await a.send("for b", [b]);
    const order = { addresses: [a.key, b.key], from: a.key, name: "two", description: "" };
    const { privacyGroupId } = JSON.parse((await a.ask("/createPrivacyGroup", order)).text);
    const state = { from: "0", to: "9", blockHash: `0x${"00".repeat(32)}` };
    const questions = {
      "/plinth/group": { privacyGroupId },
      "/plinth/sent": { publicKey: b.key, keys: [key] },
      "/plinth/state": { privacyGroupId, ...state },
    };
    const ask = (from: string) =>
      Promise.all(
        Object.entries(questions).map(([path, question]) =>
          post(a.peerUrl, path, Buffer.from(JSON.stringify(question)), from),
        ),
      );

    expect(await ask(OUTSIDE)).toEqual([403, 403, 403]);
    // No node of the other manager accepts questions.
    expect(await ask("127.0.0.1")).toEqual([200, 200, 503]);
  });

  it("reaches the node of the other manager, and its response is returned", async () => {
    await a.send("for b", [b]);
    const privacyGroupId = toBase64(
      legacyGroupId([a.key, b.key].map((key) => Buffer.from(key, "base64"))),
    );
    const question = { privacyGroupId, from: "0", to: "9", blockHash: `0x${"00".repeat(32)}` };
    const answer = { blocks: [{ number: "3", root: question.blockHash, transactions: 1 }] };
    const polling = b.ask("/plinth/question", {});

    const comparing = a.ask("/plinth/compare", question);
    const { id, question: asked } = JSON.parse((await polling).text);
    await b.ask("/plinth/answer", { id, answer });

    expect(asked).toEqual(question);
    expect(JSON.parse((await comparing).text)).toEqual({
      members: [{ key: b.key, url: b.peerUrl, answer }],
    });
  });
});

describe("a manager that lost its database", () => {
  it("restores its payloads by a command", async () => {
    const keys = [await a.send("sent", [b]), await b.send("received", [a])];
    await a.stop();
    rmSync(a.dataPath, { recursive: true });
    await a.start();
    await expect.poll(() => a.knows(1), PATIENCE).toBe(true);
    await expect.poll(() => b.knows(1), PATIENCE).toBe(true);

    const { code, stdout } = await runProgram(["enclave", "resend", `--url=${a.nodeUrl}`], {
      folder: folder.path,
    });

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${b.peerUrl}: has sent all again\n`,
    });
    expect(await Promise.all(keys.map((key) => a.receive(key)))).toEqual(["sent", "received"]);
  });
});
