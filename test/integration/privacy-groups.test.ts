import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type FlexibleMember,
  FlexibleNetwork,
  OTHER_KEY,
  OWNER_KEY,
} from "../support/flexible-members.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const keyFile = folder.file("account.key");
const otherFile = folder.file("other.key");
let network: FlexibleNetwork;
let a: FlexibleMember;
let b: FlexibleMember;
beforeAll(async () => {
  writeFileSync(keyFile, OWNER_KEY.slice(2));
  writeFileSync(otherFile, OTHER_KEY.slice(2));
  network = await FlexibleNetwork.open(["a", "b"], {
    rpcHttpEnabled: true,
    rpcHttpPort: 0,
    rpcHttpApi: ["ETH", "EEA", "PRIV", "PLINTH"],
  });
  [a, b] = network.members as [FlexibleMember, FlexibleMember];
});
afterAll(async () => {
  await network?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Runs a command at the first node, whose blocks are produced at once. */
async function run(id: string, flags: object = {}) {
  const { endpoints } = a.test.node.rpc;
  const listener = endpoints.call(a.test.node.rpc).find(({ name }) => name === "json-rpc");
  const url = `http://127.0.0.1:${listener?.address?.port}`;
  const { code, stdout } = await a.test.command(`privacy groups ${id}`, {
    flags: { url, ...flags } as Readonly<Record<string, unknown>>,
  } as never);
  return { code, lines: stdout.trimEnd().split("\n") };
}

const signed = (flags: object) => ({ keyFile, wait: true, ...flags });

describe("plinth privacy groups", () => {
  it("creates, shows and changes a group", async () => {
    expect(await run("list")).toEqual({ code: 0, lines: ["No matching groups."] });
    const created = await run("create", signed({ members: [a.key] }));
    const [group = "", hash] = created.lines;

    expect(created.code).toBe(0);
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await run("list")).toMatchObject({ lines: [`Group ${group}:`, `  ${a.key}`] });

    // It is locked first.
    const added = await run("add", signed({ group, members: [b.key] }));
    expect(added.code).toBe(0);
    await network.follow();
    const both = [`Group ${group}:`, `  ${a.key}`, `  ${b.key}`];
    expect(await run("list", { members: [b.key] })).toMatchObject({ lines: both });
    const [root, other] = await network.roots(group);
    expect(other).toBe(root);

    expect(await run("lock", signed({ group }))).toMatchObject({ code: 0 });
    const locked = await run("list", { json: true });
    expect(JSON.parse(locked.lines.join())).toMatchObject([
      { privacyGroupId: group, members: [a.key, b.key], isLocked: true },
    ]);
    expect(await run("lock", signed({ group }))).toMatchObject({ code: 1 });
    expect(await run("unlock", signed({ group }))).toMatchObject({ code: 0 });
    expect(await run("remove", signed({ group, member: b.key }))).toMatchObject({ code: 0 });
    expect(await run("list", { members: [b.key] })).toMatchObject({
      lines: ["No matching groups."],
    });
  });

  it("reports that a group is left locked if members cannot be added", async () => {
    const { lines } = await run("create", signed({ members: [a.key] }));
    const [group = ""] = lines;
    const unknown = Buffer.alloc(32, 3).toString("base64");

    await expect(run("add", signed({ group, members: [unknown] }))).rejects.toMatchObject({
      message: expect.stringContaining("Recipient not found"),
    });

    const found = await run("list", { json: true });
    const groups = JSON.parse(found.lines.join()) as {
      privacyGroupId: string;
      isLocked: boolean;
    }[];
    expect(groups.find(({ privacyGroupId }) => privacyGroupId === group)).toMatchObject({
      isLocked: true,
    });
  });

  it("leaves a group usable if two add members at once", async () => {
    const created = await run("create", signed({ members: [a.key] }));
    const [group = ""] = created.lines;

    // The later one fails on the chain, or its node refuses a nonce that the earlier one has used.
    const adding = () =>
      run("add", signed({ group, members: [b.key] })).catch((error: Error) => {
        expect(error.message).toContain("Nonce too low");
        return { code: 1 };
      });
    const [one, other] = await Promise.all([adding(), adding()]);

    expect([one?.code, other?.code].sort()).toEqual([0, 1]);
    const { lines } = await run("list", { members: [b.key] });
    const at = lines.indexOf(`Group ${group}:`);
    expect(lines.slice(at, at + 3)).toEqual([`Group ${group}:`, `  ${a.key}`, `  ${b.key}`]);
  });

  it("shows why only the owner can change a group", async () => {
    const { lines } = await run("create", signed({ members: [a.key] }));
    const [group = ""] = lines;

    const refused = await run("add", signed({ group, members: [b.key], keyFile: otherFile }));

    expect(refused.code).toBe(1);
    expect(refused.lines.join("\n")).toContain("Origin not the owner.");
  });

  it.each([
    ["create", {}, "--members=<KEY>"],
    ["create", { members: ["nonsense"] }, "'--members': \"nonsense\" is not a key"],
    ["add", { members: [Buffer.alloc(32).toString("base64")] }, "--group=<ID>"],
    ["remove", { group: Buffer.alloc(32).toString("base64") }, "--member=<KEY>"],
    ["lock", { group: "x" }, "'--group': \"x\" is not a key"],
    ["unlock", { group: Buffer.alloc(32).toString("base64"), keyFile: undefined }, "--key-file"],
    ["list", { members: ["x"] }, "'--members'"],
  ])("%s rejects invalid options by name (%o)", async (id, flags, text) => {
    await expect(run(id, id === "list" ? flags : { keyFile, ...flags })).rejects.toMatchObject({
      message: expect.stringContaining(text),
    });
  });
});
