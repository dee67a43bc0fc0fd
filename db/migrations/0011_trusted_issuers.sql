ALTER TABLE "credential" ADD COLUMN "issuer" text;--> statement-breakpoint
ALTER TABLE "credential" ADD COLUMN "subject" text;