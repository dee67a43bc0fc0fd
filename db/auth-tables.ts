// The tables under the model names that better-auth's adapter expects. They are outside the schema folder, so that
// drizzle-kit generates no migration from the second mapping of `user`.
import { boolean, pgTable, text } from "drizzle-orm/pg-core";

import { id, time } from "./columns.ts";
import * as identity from "./schema/identity.ts";

/** The `user` table under better-auth's property names. */
export const authUser = pgTable("user", {
  id: id("usr", "user_id").primaryKey(),
  name: text("name"),
  email: text("email").notNull(),
  emailVerified: boolean("email_verified").notNull(),
  image: text("avatar_url"),
  createdAt: time("created_at").notNull(),
  updatedAt: time("updated_at").notNull(),
});

export const authTables = { ...identity, user: authUser };
