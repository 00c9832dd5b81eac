const spread = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ");

/** Documents designed to take long, with a description. */
export const HOSTILE_DOCUMENTS: readonly (readonly [string, string])[] = [
  ["fields nested a thousand times", `{block${"{parent".repeat(1000)}{number}${"}".repeat(1000)}}`],
  ["fields nested a million times", "{a".repeat(1_000_000)],
  ["lists nested a million times", `{logs(filter:${"[".repeat(1_000_000)}`],
  ["a hundred thousand aliases", `{${spread(100_000, (index) => `a${index}:chainID`)}}`],
  ["one alias a hundred thousand times", `{${"a:chainID ".repeat(100_000)}}`],
  [
    "one field as often as is just allowed",
    `query A{${"chainID ".repeat(200)}} query B{${"chainID ".repeat(200)}}`,
  ],
  [
    "many fields of one name with arguments",
    `{${spread(100, (index) => `a:block(number:${index}){number}`)}}`,
  ],
  [
    "fragments that double",
    `{...F0} ${spread(30, (index) => `fragment F${index} on Query{...F${index + 1} ...F${index + 1}}`)} fragment F30 on Query{chainID}`,
  ],
  [
    "fragments in a circle",
    `{...F0} ${spread(99, (index) => `fragment F${index} on Query{...F${(index + 1) % 99}}`)}`,
  ],
  [
    "fragments that all spread all",
    `{...F0} ${spread(25, (index) => `fragment F${index} on Query{${spread(25, (other) => `...F${other}`)}}`)}`,
  ],
  ["many operations", spread(350, (index) => `query Q${index}{chainID}`)],
  ["many directives", `{chainID ${"@skip(if:true) ".repeat(390)}}`],
  ["many variables", `query(${spread(390, (index) => `$v${index}:Long`)}){chainID}`],
  ["many arguments", `{block(${spread(500, (index) => `a${index}:1`)}){number}}`],
  [
    "a list of fifteen hundred topics",
    `{logs(filter:{topics:[[${spread(1500, () => '"0x1"')}]]}){index}}`,
  ],
  ["a name of a megabyte", `{${"a".repeat(1_000_000)}}`],
  ["text of four megabytes", `{block(hash:"${"a".repeat(4_000_000)}"){number}}`],
  ["bytes of a megabyte", `mutation{sendRawTransaction(data:"0x${"ab".repeat(520_000)}")}`],
  ["bytes of four megabytes", `mutation{sendRawTransaction(data:"0x${"ab".repeat(2_000_000)}")}`],
  ["a comment of four megabytes", `{chainID} #${"a".repeat(4_000_000)}`],
  ["introspection of introspection", "{__schema{types{fields{type{fields{type{fields{name}}}}}}}}"],
  [
    "as many blocks as are allowed",
    `{${spread(100, (index) => `a${index}:block(number:0){number}`)}}`,
  ],
  ["bytes that are no text", "{\u0000\uffff\ud800}"],
  [
    "a name that objects do not like",
    "{__proto__:chainID constructor:chainID block{__proto__:number}}",
  ],
];
