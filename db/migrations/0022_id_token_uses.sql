CREATE TABLE "id_token_use" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"ends_at" timestamptz NOT NULL,
	"reused_at" timestamptz
);
