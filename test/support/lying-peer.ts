// A peer of the eth protocol alone, which shows any headers.
import {
  definePlugin,
  type Hash,
  type Plugin,
  type ProtocolPeer,
  type SealedHeader,
} from "@plinth/core";
import { forkIdAt, readForkPoints } from "@plinth/core/rules";
import { codecsOf, type HeaderRequest, VERSIONS } from "@plinth/plugin-protocol-eth/api";

/** What a peer shows. */
export interface ShownChain {
  readonly genesis: object;
  /** From block 0 on. */
  readonly headers: readonly SealedHeader[];
  /** The response to a request for headers; `undefined` sends nothing. By default what was requested. */
  readonly respond?: (
    request: HeaderRequest,
    found: readonly SealedHeader[],
  ) => readonly SealedHeader[] | undefined | Promise<readonly SealedHeader[]>;
}

/** The eth protocol of a peer with a chain of headers. */
export function lyingEth(chain: ShownChain): Plugin {
  return definePlugin({
    name: "lying-eth",
    setup({ network }) {
      for (const { version, length } of VERSIONS) {
        network.protocol({
          ...{ name: "eth", version, length },
          connected: (peer) => greet(peer, version, chain),
        });
      }
    },
  });
}

function greet(peer: ProtocolPeer, version: number, { genesis, headers, respond }: ShownChain) {
  const codecs = codecsOf(version);
  const [first, head] = [headers[0] as SealedHeader, headers.at(-1) as SealedHeader];
  const status = {
    version,
    networkId: 1337n,
    genesisHash: first.hash,
    forkId: forkIdAt(first.hash, readForkPoints(genesis), first),
    headHash: head.hash,
    totalDifficulty: head.number + 1n,
    range: { earliest: 0n, latest: head.number },
  };
  peer.send(codecs.status.code, codecs.status.encode(status));
  return {
    async received(code: number, payload: Uint8Array) {
      if (code !== codecs.getBlockHeaders.code) return;
      const { id, body: request } = codecs.getBlockHeaders.decode(payload);
      const found = collect(headers, request);
      const body = respond === undefined ? found : await respond(request, found);
      if (body === undefined) return;
      peer.send(codecs.blockHeaders.code, codecs.blockHeaders.encode({ id, body: [...body] }));
    },
  };
}

function collect(
  headers: readonly SealedHeader[],
  { start, limit, skip, reverse }: HeaderRequest,
): readonly SealedHeader[] {
  const first = typeof start === "bigint" ? Number(start) : findNumber(headers, start);
  const step = (Number(skip) + 1) * (reverse ? -1 : 1);
  const found: SealedHeader[] = [];
  for (let at = first; found.length < Math.min(Number(limit), 512); at += step) {
    const header = headers[at];
    if (header === undefined) break;
    found.push(header);
  }
  return found;
}

function findNumber(headers: readonly SealedHeader[], hash: Hash): number {
  return headers.findIndex((header) => header.hash === hash);
}
