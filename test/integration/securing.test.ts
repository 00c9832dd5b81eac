import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CertificateMaker, isOpensslMissing } from "../support/certificates.js";
import { freePort } from "../support/free-port.js";
import { until } from "../support/poller.js";
import { ROOT, runProgram, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const GUIDE = readFileSync(join(ROOT, "docs/operators/securing.md"), "utf8");
const BODY = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
const PROFILE = "--profile=dev";

const isNginxMissing = spawnSync("nginx", ["-v"]).status !== 0;
if (isNginxMissing) process.stderr.write("nginx is not installed: its recipe is skipped\n");

/** Writes a file of the guide into a folder. */
function write(name: string, folder: TemporaryFolder, change = (text: string) => text): string {
  const block = new RegExp(
    `^\`\`\`\\w+\\n# ${name.replace(".", "\\.")}\\n([\\s\\S]*?)^\`\`\`$`,
    "m",
  );
  const [, text] = block.exec(GUIDE) ?? [];
  if (text === undefined) throw new Error(`the guide has no ${name}`);
  writeFileSync(folder.file(name), change(text), { mode: 0o600 });
  return folder.file(name);
}

function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(url, { method: "POST", body, headers });
}

/** Calls from an address of this machine, claiming to be another. */
async function postFrom(localAddress: string, port: number): Promise<IncomingMessage> {
  const headers = { "x-forwarded-for": "1.1.1.1" };
  const asking = requestPlain({ host: "127.0.0.1", port, localAddress, method: "POST", headers });
  const [answer] = await once(asking.end(BODY), "response");
  answer.resume();
  return answer;
}

describe("the recipes for securing a node", () => {
  it("admit users with tokens, and log rejected ones", async () => {
    using folder = temporaryFolder();
    const config = write("tokens.toml", folder);
    write("users.toml", folder);
    // The profile has WebSockets on the same port, which would need separate users.
    const words = [PROFILE, "--rpc-ws-on-http-port=false", `--config-file=${config}`];
    await using node = await startNode(words, { folder: folder.path });
    const password = /"password":"([^"]+)"/.exec(GUIDE)?.[1];

    const login = JSON.stringify({ username: "alice", password });
    const { token } = (await (await post(`${node.url}/login`, login)).json()) as { token: string };
    const allowed = await post(node.url, BODY, { authorization: `Bearer ${token}` });
    const refused = await post(node.url, BODY);

    expect([allowed.status, refused.status]).toEqual([200, 401]);
    const [, expression = ""] = /^failregex = (.*)$/m.exec(GUIDE) ?? [];
    const pattern = new RegExp(expression.replace("<HOST>", "(?<host>\\S+)"), "m");
    const line = await until(async () => pattern.exec(node.output()) ?? undefined);
    expect(line.groups?.host).toBe("127.0.0.1");
    expect(node.output()).not.toContain(token);
  });

  it.skipIf(isOpensslMissing)("serve known clients over TLS", async () => {
    using folder = temporaryFolder();
    const config = write("tls.toml", folder);
    const maker = new CertificateMaker(folder.path);
    const server = maker.create("server");
    const client = maker.create("client");
    writeFileSync(folder.file("clients.txt"), `client ${client.fingerprint}\n`);
    await using node = await startNode([PROFILE, `--config-file=${config}`], {
      folder: folder.path,
    });
    const { port } = new URL(node.url);

    const asking = request({
      ...{ host: "127.0.0.1", port, method: "POST", agent: false },
      ...{ ca: server.cert, cert: client.cert, key: client.key },
    }).end(BODY);

    expect((await once(asking, "response"))[0].statusCode).toBe(200);
  });

  it("trust a configured proxy", async () => {
    using folder = temporaryFolder();
    const config = write("proxy.toml", folder);
    const words = [PROFILE, `--config-file=${config}`, "--rpc-request-log=all"];
    await using node = await startNode(words, { folder: folder.path });

    await post(node.url, BODY, { "x-forwarded-for": "1.1.1.1, 203.0.113.7" });

    await until(async () => node.output().includes("call client=203.0.113.7 ") || undefined);
  });

  it.skipIf(isNginxMissing)("work behind nginx", async () => {
    using folder = temporaryFolder();
    const config = write("proxy.toml", folder);
    const words = [PROFILE, `--config-file=${config}`, "--rpc-request-log=all"];
    await using node = await startNode(words, { folder: folder.path });
    const port = await freePort();
    const nginx = write("nginx.conf", folder, (text) =>
      text
        .replace("127.0.0.1:8545", new URL(node.url).host)
        .replace("127.0.0.1:8080", `127.0.0.1:${port}`),
    );
    const settings = `daemon off; pid ${folder.file("pid")}; error_log stderr;`;
    const child = spawn("nginx", ["-p", folder.path, "-c", nginx, "-g", settings]);
    try {
      // The client has another address than the proxy, and lies about it.
      const answer = await until(() => postFrom("127.0.0.2", port).catch(() => undefined));

      expect(answer.statusCode).toBe(200);
      await until(async () => node.output().includes("call client=127.0.0.2 ") || undefined);
    } finally {
      child.kill();
      await once(child, "close");
    }
  });

  it("let operators use the socket", async () => {
    using folder = temporaryFolder();
    const config = write("ipc.toml", folder);
    await using node = await startNode([PROFILE, `--config-file=${config}`], {
      folder: folder.path,
    });

    const words = ["--data-path=data", "status"];
    const { code, stdout } = await runProgram(words, { folder: folder.path });

    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`ipc:${folder.file("data/plinth.ipc")}`),
    ]);
    expect(stdout).toContain("No problems.");
    await node.stop("SIGKILL");
    const after = await runProgram(words, { folder: folder.path });
    expect(after.stdout).toContain("Node      http://127.0.0.1:");
  });
});
