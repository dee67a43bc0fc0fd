CREATE TABLE "content_store" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"store_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"swept_to" text,
	CONSTRAINT "content_store_is_one" CHECK ("content_store"."is_only")
);
--> statement-breakpoint
ALTER TABLE "content" ALTER COLUMN "data" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "content" ADD COLUMN "object" text;--> statement-breakpoint
ALTER TABLE "content" ADD CONSTRAINT "content_in_one_place" CHECK (("content"."data" IS NULL) <> ("content"."object" IS NULL));