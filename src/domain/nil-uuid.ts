/** The nil UUID (RFC 9562 §5.9): the identifier of nothing, and before all others in their order. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
