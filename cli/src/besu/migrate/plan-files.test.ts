import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findInstallation } from "./find-installation.js";
import { planFiles } from "./plan-files.js";
import { formatReport } from "./report.js";

const STORE = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const PRIVATE_KEY = `0x${"01".repeat(32)}`;

describe("the files of a migrated node", () => {
  it("are copied byte by byte, each under a unique name", async () => {
    await using place = await createFolder({
      "besu/key": PRIVATE_KEY,
      "besu/http/key": STORE,
      "besu/http/store.p12": STORE,
      "besu/ws/store.p12": STORE,
    });

    const { files, config } = await plan(place.path, {
      "rpc-http-tls-keystore-file": "http/store.p12",
      "rpc-ws-ssl-keystore-file": "ws/store.p12",
      "rpc-http-tls-keystore-password-file": "http/key",
      "rpc-ws-ssl-truststore-file": "ws/store.p12",
    });

    expect(files.map(({ path }) => path)).toEqual([
      ...["key", "store.p12", "rpc-ws-ssl-keystore-file.store.p12"],
      ...["rpc-http-tls-keystore-password-file.key", "plinth.toml"],
    ]);
    const [, store] = files;
    expect(new Uint8Array(store?.content as Uint8Array)).toEqual(STORE);
    expect(config).toContain(
      'rpc-ws-ssl-truststore-file = "/new/rpc-ws-ssl-keystore-file.store.p12"',
    );
  });

  it("stay in place outside the folder of the Besu node", async () => {
    await using place = await createFolder({ "besu/key": PRIVATE_KEY, "users.toml": "" });

    const { files, config, lost } = await plan(place.path, { users: "../users.toml" });

    expect(lost).toEqual([]);
    expect(files.map(({ path }) => path)).toEqual(["key", "plinth.toml"]);
    expect(config).toContain(`users = "${join(place.path, "users.toml")}"`);
  });

  it("are reported only if they were written", async () => {
    await using place = await createFolder({ "besu/key": PRIVATE_KEY });
    const installation = await findInstallation(join(place.path, "besu"), {});
    const options = { kept: [], missing: [], idle: [] };

    const report = formatReport({
      ...{ installation, options, to: "/new", findings: [], address: undefined, lostFiles: [] },
    });

    for (const name of ["`genesis.json`", "static-nodes.json", "permissions_config.toml"]) {
      expect(report).not.toContain(name);
    }
  });
});

async function plan(folder: string, paths: Readonly<Record<string, string>>) {
  const installation = await findInstallation(join(folder, "besu"), {
    key: join(folder, "besu/key"),
  });
  const kept = Object.entries(paths).map(([name, value]) => ({ name, value, isPath: true }));
  const { files, lost } = await planFiles(installation, "/new", kept);
  return { files, lost, config: String(files.at(-1)?.content) };
}

async function createFolder(files: Readonly<Record<string, string | Uint8Array>>) {
  const path = await mkdtemp(join(tmpdir(), "plinth-besu-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
