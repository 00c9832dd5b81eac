import { describe, expect, it } from "vitest";
import { formatEnode, InvalidEnode, isSameEnode, parseEnode } from "./enode.js";

const ID = "ab".repeat(64);
const NODE = { id: `0x${ID}`, host: "127.0.0.1", tcpPort: 30303, udpPort: 30303 } as const;

describe("an enode URL", () => {
  it.each([
    [`enode://${ID}@127.0.0.1:30303`, NODE],
    [`ENODE://${ID.toUpperCase()}@127.0.0.1:30303`, NODE],
    [`enode://${ID}@127.0.0.1:30303?discport=30301`, { ...NODE, udpPort: 30301 }],
    [`enode://${ID}@127.0.0.1:30303?discport=0`, { ...NODE, udpPort: 0 }],
    [`enode://${ID}@127.0.0.1:0`, { ...NODE, tcpPort: 0, udpPort: 0 }],
    [`enode://${ID}@[2001:db8::1]:30303`, { ...NODE, host: "2001:db8::1" }],
  ])("is parsed from %s", (text, enode) => {
    expect(parseEnode(text)).toEqual(enode);
  });

  it("has its discovery port only if it differs, and brackets around IPv6", () => {
    expect(formatEnode(NODE)).toBe(`enode://${ID}@127.0.0.1:30303`);
    expect(formatEnode({ ...NODE, host: "::1", udpPort: 0 })).toBe(
      `enode://${ID}@[::1]:30303?discport=0`,
    );
  });

  it("may have a DNS name if names are allowed", () => {
    const text = `enode://${ID}@node-1.example.org:30303`;

    expect(parseEnode(text, { allowsNames: true }).host).toBe("node-1.example.org");
    expect(() => parseEnode(text)).toThrow(expect.objectContaining({ problem: "host-name" }));
  });

  it.each([
    ["syntax", "Invalid empty value.", ""],
    ["syntax", "Invalid empty value.", " "],
    ["syntax", "Missing 'enode' scheme.", "hello"],
    ["syntax", 'Invalid URI scheme (must equal "enode").', `http://${ID}@127.0.0.1:1`],
    ["syntax", "Missing node ID.", "enode://"],
    ["syntax", "Missing node ID.", "enode://@127.0.0.1:1"],
    ["syntax", "Missing or invalid host or ip address.", `enode://${ID}@:1`],
    ["syntax", "Missing or invalid host or ip address.", `enode://${ID}@[::1:1`],
    ["node-id", /^Invalid node ID: node ID must have exactly 128/, `enode://${ID}0@127.0.0.1:1`],
    ["node-id", /^Invalid node ID/, `enode://0x${ID}@127.0.0.1:1`],
    ["discovery-port", "Invalid discovery port: 'a=b'.", `enode://${ID}@127.0.0.1:1?a=b`],
    ["discovery-port", /'discport=65536'/, `enode://${ID}@127.0.0.1:1?discport=65536`],
    ["discovery-port", /'discport=1&a=b'/, `enode://${ID}@127.0.0.1:1?discport=1&a=b`],
    ["host-name", "Invalid ip address.", `enode://${ID}@256.0.0.1:1`],
    ["host-name", "Invalid ip address.", `enode://${ID}@[127.0.0.1]:1`],
    ["port", /^Invalid port: ''/, `enode://${ID}@127.0.0.1`],
    ["port", /^Invalid port: '65536'/, `enode://${ID}@127.0.0.1:65536`],
    ["syntax", "Missing node ID.", `enode://${"a".repeat(100_000)}`],
  ])("reports %s: %s", (problem, reason, text) => {
    const parse = () => parseEnode(text);

    expect(parse).toThrow(InvalidEnode);
    expect(parse).toThrow(
      expect.objectContaining({
        code: "ENODE_INVALID",
        problem,
        details: expect.objectContaining({
          reason: typeof reason === "string" ? reason : expect.stringMatching(reason),
        }),
      }),
    );
  });

  it("contains the value in its error, truncated if it is long", () => {
    expect(() => parseEnode("enode://zz")).toThrow(
      /^Invalid enode URL syntax 'enode:\/\/zz'\. Enode URL should have the following format/,
    );
    expect(() => parseEnode("z".repeat(100_000))).toThrow(/^.{1,800}$/);
  });

  it("is equal with the same id, host and ports", () => {
    expect(isSameEnode(NODE, { ...NODE })).toBe(true);
    expect(isSameEnode(NODE, { ...NODE, udpPort: 1 })).toBe(false);
    expect(isSameEnode(NODE, { ...NODE, host: "127.0.0.2" })).toBe(false);
  });
});

describe("an IPv6 address", () => {
  it.each([
    ["[0:0:0:0:0:0:0:1]", "::1"],
    ["[FE80::1]", "fe80::1"],
    ["[::ffff:127.0.0.1]", "127.0.0.1"],
    ["[::ffff:7f00:1]", "127.0.0.1"],
    ["[2001:DB8:0:0:0:0:0:1]", "2001:db8::1"],
  ])("%s is normalized to the form used by sockets", (text, host) => {
    expect(parseEnode(`enode://${"ab".repeat(64)}@${text}:1`).host).toBe(host);
  });

  it("with a zone is invalid", () => {
    expect(() => parseEnode(`enode://${"ab".repeat(64)}@[fe80::1%eth0]:1`)).toThrow(
      "Invalid ip address.",
    );
  });
});
