const INTERNAL_ERROR =
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}';

/** Besu's response over WebSocket to a message without any request in it: an empty list for one. */
export function answerAsBesu(message: string): string {
  return /^\s*\[\s*\]\s*$/.test(message) ? "[]" : INTERNAL_ERROR;
}
