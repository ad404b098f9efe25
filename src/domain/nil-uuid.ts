/** The nil UUID (RFC 9562 §5.9), which identifies nothing and sorts before all others. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
