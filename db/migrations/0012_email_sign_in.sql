CREATE TABLE "email_sign_in" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"next" text,
	"invitation_id" uuid,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"expires_at" timestamptz NOT NULL,
	"mailed_at" timestamptz,
	"used_at" timestamptz
);
