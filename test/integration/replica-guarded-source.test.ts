import { writeFileSync } from "node:fs";
import authentication from "@plinth/plugin-authentication";
import { DEV_GENESIS, signTransaction, transfer } from "@plinth/testing";
import { describe, expect, it, vi } from "vitest";
import { CertificateMaker, isOpensslMissing } from "../support/certificates.js";
import { type RunningNode, startNode } from "../support/program.js";
import { startReplica, startSource } from "../support/replica.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { createKeys, createToken } from "../support/tokens.js";

const KEYS = createKeys("ES256");
const DAY_SECONDS = 86_400;
const TIMEOUT = { timeout: 60_000, interval: 100 };

describe.skipIf(isOpensslMissing)("a replica of a source with https and authentication", () => {
  it("follows with a token for changes:read, and reads its file again when it is rejected", async () => {
    using folder = temporaryFolder();
    await using source = await startGuardedSource(folder);
    await source.mine([transfer()], []);
    const [genesis, tokenFile] = [folder.file("genesis.json"), folder.file("token")];
    const tokens = [
      ["eth:blockNumber"],
      ["changes:read"],
      ["changes:read", "eth:sendRawTransaction"],
    ];
    const [other = "", reading = "", sending = ""] = tokens.map(tokenFor);
    writeFileSync(genesis, JSON.stringify(DEV_GENESIS));
    writeFileSync(tokenFile, other);

    await using replica = await startNode(
      [
        ...[`--genesis-file=${genesis}`, "--data-storage-format=BONSAI", "--rpc-http-enabled"],
        ...[`--follow=${source.url}`, `--follow-token-file=${tokenFile}`],
      ],
      { folder: folder.path, environment: { NODE_EXTRA_CA_CERTS: source.certFile } },
    );
    await vi.waitFor(() => expect(replica.output()).toContain("HTTP 401"), TIMEOUT);
    expect(await replica.rpc("eth_blockNumber")).toBe("0x0");
    writeFileSync(tokenFile, reading);
    await vi.waitFor(async () => expect(await headOf(replica)).toBe(source.head().hash), TIMEOUT);
    const raw = await signTransaction(transfer({ nonce: 1 }));
    const send = () => replica.rpc("eth_sendRawTransaction", [raw]);
    await expect(send()).rejects.toMatchObject({ code: -32000 });
    writeFileSync(tokenFile, sending);
    const hash = await send();

    expect(source.node.pool.all().map((each) => each.hash)).toEqual([hash]);
    for (const token of [other, reading, sending]) expect(replica.output()).not.toContain(token);
  });

  it("does not follow a source whose certificate is unknown", async () => {
    using folder = temporaryFolder();
    await using source = await startGuardedSource(folder);
    await source.mine([]);
    const followTokenFile = folder.file("token");
    writeFileSync(followTokenFile, tokenFor(["changes:read"]));
    await using replica = await startReplica([source.url], { followTokenFile });

    const line = await replica.logged("self-signed certificate");

    expect(line.startsWith(`${source.url}: `)).toBe(true);
    expect(replica.head().number).toBe(0n);
  });
});

async function startGuardedSource(folder: TemporaryFolder) {
  const { certFile, keyFile } = new CertificateMaker(folder.path).create("localhost");
  const publicKey = folder.file("issuer.pem");
  writeFileSync(publicKey, KEYS.pem);
  const source = await startSource(
    {
      rpcHttpTlsEnabled: true,
      rpcHttpTlsCertificateFile: certFile,
      rpcHttpTlsKeyFile: keyFile,
      rpcHttpAuthenticationEnabled: true,
      rpcHttpAuthenticationJwtPublicKeyFile: publicKey,
      rpcHttpAuthenticationJwtAlgorithm: "ES256",
    },
    { plugins: [authentication] },
  );
  return Object.assign(source, { certFile, url: `https://127.0.0.1:${source.port()}` });
}

function tokenFor(permissions: readonly string[]): string {
  const exp = Math.floor(Date.now() / 1000) + DAY_SECONDS;
  return createToken({ alg: "ES256", key: KEYS.privateKey, claims: { permissions, exp } });
}

async function headOf(node: RunningNode): Promise<unknown> {
  return Object(await node.rpc("eth_getBlockByNumber", ["latest", false])).hash;
}
