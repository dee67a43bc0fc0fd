// What is thrown where PostgreSQL gives no answer in time. PostgreSQL may still do what it was sent.

/** The statement took longer than its caller waits. */
export class DatabaseTimeout extends Error {
  override readonly name = "DatabaseTimeout";
}

/** PostgreSQL has stopped answering on every connection: nothing is sent until it answers again. */
export class DatabaseSilent extends Error {
  override readonly name = "DatabaseSilent";
}
