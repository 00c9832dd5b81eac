import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findInstallation } from "./find-installation.js";

const KEY_OF_2 = 'node-private-key-file="node-2/data/key"';

describe("the files of a Besu installation", () => {
  it.each([
    ["from the folder of the configuration file", "config.toml", KEY_OF_2],
    ["from the folder of the node", "config/config.toml", KEY_OF_2],
    ["in a container", "config.toml", 'node-private-key-file="/opt/besu/node-2/data/key"'],
  ])("include the key set by an option %s", async (_, config, line) => {
    await using place = await createFolder({
      ...{ "node-1/data/key": "1", "node-2/data/key": "2" },
      [config]: line,
    });

    const { key } = await findInstallation(place.path, {});

    expect(key).toBe(join(place.path, "node-2/data/key"));
  });

  it.each([
    ["end alike", "config.toml", '"/opt/besu/data/key"', "node-1/data/key, node-2/data/key"],
    ["a relative path leads to", "node-1/config.toml", '"data/key"', "node-1/data/key, data/key"],
  ])("are rejected if several %s", async (_, config, path, names) => {
    await using place = await createFolder({
      ...{ "node-1/data/key": "1", "node-2/data/key": "2" },
      ...(names.endsWith(" data/key") ? { "data/key": "3" } : {}),
      [config]: `node-private-key-file=${path}`,
    });

    await expect(findInstallation(place.path, {})).rejects.toMatchObject({
      code: "OPTION_MISSING",
      message: expect.stringContaining(`${names}; choose one with --node-private-key-file`),
    });
  });

  it("may be elsewhere", async () => {
    await using place = await createFolder({
      "elsewhere/users.toml": "",
      "besu/config.toml": "max-peers=25",
      "besu/key": "1",
    });
    const users = join(place.path, "elsewhere/users.toml");

    const found = await findInstallation(join(place.path, "besu"), {});

    expect(await found.find("rpc-http-authentication-credentials-file", users)).toBe(users);
  });
});

async function createFolder(files: Readonly<Record<string, string>>) {
  const path = await mkdtemp(join(tmpdir(), "plinth-besu-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
