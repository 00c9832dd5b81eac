import { GraphQLError, getLocation, Lexer, type Source, TokenKind } from "graphql/index.js";
import { Refusal } from "./refusal.js";

/** Longer values can be passed as variables. */
const MAX_CHARACTERS = 1_048_576;
/** Nesting of braces, brackets and parentheses; the parser recurses for each. */
const MAX_NESTING = 200;
const MAX_NAME = 256;

const OPENING: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const CLOSING: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/** Tokenizes a document, rejects one that would be dangerous to parse, and counts its tokens. */
export function scan(source: Source, maxWords: number): number {
  if (source.body.length > MAX_CHARACTERS) throw refuse(`more than ${MAX_CHARACTERS} characters`);
  let nesting = 0;
  let words = 0;
  try {
    const lexer = new Lexer(source);
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      words += 1;
      if (words > maxWords) throw refuse(`more than ${maxWords} words`);
      if (token.kind === TokenKind.NAME && token.end - token.start > MAX_NAME) {
        throw refuse(`a name of more than ${MAX_NAME} characters`);
      }
      if (OPENING.includes(token.kind)) nesting += 1;
      if (CLOSING.includes(token.kind)) nesting -= 1;
      if (nesting > MAX_NESTING) throw refuse(`more than ${MAX_NESTING} levels`);
    }
  } catch (error) {
    throw syntaxProblem(error, source);
  }
  return words;
}

/** The error for a document that cannot be parsed. */
export function syntaxProblem(error: unknown, source: Source): unknown {
  if (!(error instanceof GraphQLError)) return error;
  const [position = 0] = error.positions ?? [];
  const { line, column } = getLocation(source, position);
  const token = tokenAt(source.body, position);
  return Refusal.of(
    `Invalid syntax with offending token '${token}' at line ${line} column ${column}`,
    "InvalidSyntax",
    [{ line, column }],
  );
}

function refuse(what: string): Refusal {
  return Refusal.of(`the document has ${what}`, "ExecutionAborted");
}

/** A token, or a character that starts no token. */
function tokenAt(text: string, position: number): string {
  const rest = text.slice(position, position + MAX_NAME);
  return /^(\w+|\.\.\.|[^\s])/.exec(rest)?.[0] ?? "<EOF>";
}
