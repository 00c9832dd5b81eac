/** Why a node did not respond. */
export class NodeUnreachable extends Error {
  override readonly name = "NodeUnreachable";
}
