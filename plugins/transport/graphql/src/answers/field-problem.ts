/** Why a field has no answer, in words for the caller. */
export class FieldProblem extends Error {}
