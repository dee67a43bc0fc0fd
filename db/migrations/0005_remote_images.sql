CREATE TABLE "image_lock" (
	"artifact_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	"entries" jsonb NOT NULL,
	"is_complete" boolean NOT NULL,
	"updated_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "image_lock_artifact_id_version_number_pk" PRIMARY KEY("artifact_id","version_number")
);
--> statement-breakpoint
CREATE TABLE "image_use" (
	"artifact_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	"image" "bytea" NOT NULL,
	CONSTRAINT "image_use_artifact_id_version_number_image_pk" PRIMARY KEY("artifact_id","version_number","image")
);
--> statement-breakpoint
CREATE TABLE "remote_image" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"media_type" text NOT NULL,
	"width" integer,
	"height" integer,
	"fetched_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "outbox_turns_of_screenshots";--> statement-breakpoint
DROP INDEX "outbox_waiting_pictures";--> statement-breakpoint
ALTER TABLE "image_lock" ADD CONSTRAINT "image_lock_version" FOREIGN KEY ("artifact_id","version_number") REFERENCES "public"."version"("artifact_id","version_number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "image_use" ADD CONSTRAINT "image_use_image_remote_image_key_fk" FOREIGN KEY ("image") REFERENCES "public"."remote_image"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "image_use" ADD CONSTRAINT "image_use_lock" FOREIGN KEY ("artifact_id","version_number") REFERENCES "public"."image_lock"("artifact_id","version_number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remote_image" ADD CONSTRAINT "remote_image_content_content_sha256_fk" FOREIGN KEY ("content") REFERENCES "public"."content"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "image_use_image" ON "image_use" USING btree ("image");--> statement-breakpoint
CREATE INDEX "remote_image_content" ON "remote_image" USING btree ("content");--> statement-breakpoint
CREATE INDEX "remote_image_fetched" ON "remote_image" USING btree ("fetched_at");--> statement-breakpoint
CREATE INDEX "outbox_turns_of_images" ON "outbox" USING btree ("workspace_id","job_id") WHERE workspace_id IS NOT NULL AND handed_over_at IS NULL AND kind = 'images';--> statement-breakpoint
CREATE INDEX "outbox_waiting_images" ON "outbox" USING btree ("created_at") WHERE handed_over_at IS NULL AND kind = 'images';--> statement-breakpoint
CREATE INDEX "outbox_turns_of_screenshots" ON "outbox" USING btree ("workspace_id","job_id") WHERE workspace_id IS NOT NULL AND handed_over_at IS NULL AND kind NOT IN ('packages', 'images');--> statement-breakpoint
CREATE INDEX "outbox_waiting_pictures" ON "outbox" USING btree ("created_at") WHERE handed_over_at IS NULL AND kind NOT IN ('packages', 'images') AND (kind LIKE 'thumbnail%' OR dedupe_key IS NOT NULL);