CREATE TABLE "lease_holder" (
	"holder" uuid PRIMARY KEY NOT NULL,
	"protocol" smallint NOT NULL,
	"waits_ms" integer NOT NULL,
	"ended" boolean DEFAULT false NOT NULL,
	"since" timestamptz DEFAULT now() NOT NULL
);
